// Hop-by-hop fields of HTTP, which whoever passes a message on drops (RFC 9110 7.6.1).

/** In lower case. `upgrade` too: whoever passes an upgrade on writes it anew. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Fields that a `Connection` field names, in lower case: they are for this hop alone. */
export function namedByConnection(connection: string | undefined): ReadonlySet<string> {
  return new Set((connection ?? '').split(',').map((part) => part.trim().toLowerCase()));
}
