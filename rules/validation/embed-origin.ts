// Origins of pages that an app may let frame the console: one exact origin each (RFC 6454), as browsers write it.

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Nothing that means more in a list of sources of a content policy: no wildcard, quote, comma or semicolon. */
const PLAIN = /^https?:\/\/(?:[a-z0-9.-]+|\[::1\])(?::\d{1,5})?$/;

/** HTTPS; plain HTTP on the user's own machine alone. Without a path, and without a slash at its end. */
export function isEmbedOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !PLAIN.test(text) || url.origin !== text) return false;
  return url.protocol === 'https:' || LOOPBACK_HOSTS.has(url.hostname);
}
