// Builds the URLs of RTSP requests from what the operator typed and what the device answers (RFC 2326 C.1.1, RFC 3986 5.2).

export interface RtspTarget {
  readonly host: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** The URL as it goes into requests: without user and password, with an explicit port when it is not the usual one. */
  readonly url: string;
  readonly credentials: { readonly user: string; readonly password: string } | null;
  /** How media are to come, where the text ends in `#transport=tcp`, `udp` or `http`; that part never reaches the device. */
  readonly transport: WantedTransport | null;
}

/** `http`: requests and media through a pair of HTTP requests, for networks that let nothing else pass. */
export type WantedTransport = 'tcp' | 'udp' | 'http';

const USUAL_PORT = { 'rtsp:': 554, 'rtsps:': 322 } as const;
/** Inside HTTP and HTTPS. */
const TUNNEL_PORT = { 'rtsp:': 80, 'rtsps:': 443 } as const;

/** Null when the text is no RTSP URL. Path and query stay exactly as typed, since devices compare them byte by byte; but a space would end the request line. */
export function parseRtspUrl(text: string): RtspTarget | null {
  const parts =
    /^(rtsps?:)\/\/(?:([^/?#]*)@)?(\[[0-9a-f:.]+\]|[^:/?#\s@[\]]+)(?::(\d{1,5}))?([/?](?:[^\s#]| )*)?(?:#transport=(tcp|udp|http))?$/i.exec(
      text.trim(),
    );
  if (!parts || text.length > 4096) return null;
  const scheme = (parts[1] as string).toLowerCase() as keyof typeof USUAL_PORT;
  const host = parts[3] as string;
  const transport = (parts[6]?.toLowerCase() ?? null) as WantedTransport | null;
  const port = parts[4] === undefined ? usualPort(scheme, transport) : Number(parts[4]);
  if (port < 1 || port > 65_535) return null;
  const rest = withoutSpaces(parts[5] ?? '');
  const shownPort = parts[4] === undefined ? '' : `:${port}`;
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port,
    isSecure: scheme === 'rtsps:',
    url: `${scheme}//${host}${shownPort}${rest}`,
    credentials: parts[2] === undefined ? null : parseUserInfo(parts[2]),
    transport,
  };
}

function withoutSpaces(text: string): string {
  return text.replaceAll(' ', '%20');
}

function usualPort(scheme: keyof typeof USUAL_PORT, transport: WantedTransport | null): number {
  return transport === 'http' ? TUNNEL_PORT[scheme] : USUAL_PORT[scheme];
}

/** The URL to keep: without user and password, with the wanted transport. */
export function storedUrl({ url, transport }: RtspTarget): string {
  return transport === null ? url : `${url}#transport=${transport}`;
}

function parseUserInfo(text: string): { user: string; password: string } {
  const colon = text.indexOf(':');
  const user = colon < 0 ? text : text.slice(0, colon);
  return { user: decode(user), password: colon < 0 ? '' : decode(text.slice(colon + 1)) };
}

/** Passwords are often pasted with a bare `%`; then they stand as typed. */
function decode(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    return bytes.toString('utf8');
  });
}

/**
 * The base URL of a presentation. Devices write Content-Base without scheme or name an address of another interface;
 * the request goes down the same connection anyway, so anything but a whole RTSP URL falls back to the URL asked for.
 */
export function presentationBase(
  requested: string,
  contentBase: string | undefined,
  contentLocation: string | undefined,
): string {
  for (const candidate of [contentBase, contentLocation]) {
    if (candidate !== undefined && parseRtspUrl(candidate)) return withoutSpaces(candidate.trim());
  }
  return requested;
}

/** The URL for SETUP or PLAY from a control attribute. */
export function controlUrl(base: string, stated: string): string {
  if (stated === '' || stated === '*') return base;
  const control = withoutSpaces(stated);
  if (/^rtsps?:\/\//i.test(control)) return control;
  if (control.startsWith('/')) return `${/^rtsps?:\/\/[^/?]*/i.exec(base)?.[0] ?? base}${control}`;
  // Against RFC 3986 devices expect their control text after the whole base, query included.
  return base.endsWith('/') ? `${base}${control}` : `${base}/${control}`;
}

/** The path of a request as a server gets it; some clients send no more than that. */
export function pathOf(uri: string): string {
  return /^rtsps?:\/\/[^/]*(\/.*)?$/i.exec(uri)?.[1] ?? (uri.startsWith('/') ? uri : '/');
}

/** Of one track of the mount at `uri`. */
export function trackUrl(uri: string, control: string): string {
  return uri.endsWith('/') ? uri + control : `${uri}/${control}`;
}
