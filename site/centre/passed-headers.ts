// Which headers go on when the centre passes a viewer through to a far site: all but those of the one connection.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** RFC 9110 7.6.1; the front has dropped what the viewer named besides. */
const HOP_BY_HOP = new Set([
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

/** Every request has a stream of its own. */
export function passedHeaders({ headers }: IncomingMessage): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  const hasUnknownLength = headers['transfer-encoding'] !== undefined;
  return {
    ...Object.fromEntries(kept),
    ...(hasUnknownLength && { 'transfer-encoding': 'chunked' }),
    connection: 'close',
  };
}

/** Name, value, name, value … */
export function passedResponseHeaders({ rawHeaders }: IncomingMessage): string[] {
  const pairs = rawHeaders.map((name, index) => [name, rawHeaders[index + 1] ?? '']);
  return pairs.filter(([name = ''], index) => index % 2 === 0 && !HOP_BY_HOP.has(name.toLowerCase())).flat();
}

/** The head of a request that becomes a WebSocket, to be sent as it is. */
export function passedHead(request: IncomingMessage, target: string): string {
  const lines = [`GET ${target} HTTP/1.1`, 'connection: Upgrade', 'upgrade: websocket'];
  for (const [name, value] of Object.entries(request.headers)) {
    if (HOP_BY_HOP.has(name) || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${one}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
