// Redirect addresses that an app may register (RFC 9700 2.1, RFC 8252 7).

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]']);
/** A name that its owner has in reverse, as RFC 8252 7.1 asks of private schemes. */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/**
 * HTTPS; plain HTTP to the user's own machine for apps that run there, on any port; a private scheme of a public app.
 * Never with a fragment, a user name or a wildcard, and only as browsers write it, so that it is compared as text.
 */
export function isRedirectUri(text: string, { isPublic }: { readonly isPublic: boolean }): boolean {
  const url = URL.parse(text);
  if (url === null || /[#*]/.test(text) || url.username + url.password !== '') return false;
  if (PRIVATE_SCHEME.test(url.protocol)) return isPublic && text.startsWith(url.protocol);
  // One slash is added behind a bare host.
  if (url.href !== text && url.href !== `${text}/`) return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname);
}
