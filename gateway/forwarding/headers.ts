// Headers that are passed on: hop-by-hop and forged ones are dropped, ours are set.
import type { IncomingMessage } from 'node:http';
import { HOP_BY_HOP, namedByConnection } from '@vedette/protocols/http/hop-by-hop.ts';
import type { Peer } from '../client/peer.ts';

/** @param name lower case */
function isOurs(name: string): boolean {
  return (
    name.startsWith('x-forwarded-') || name.startsWith('x-vedette-') || name === 'forwarded' || name === 'x-real-ip'
  );
}

/** For the process behind the gateway. */
export function requestHeaders(request: IncomingMessage, peer: Peer): Record<string, string | string[]> {
  const named = namedByConnection(request.headers.connection);
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || HOP_BY_HOP.has(name) || named.has(name) || isOurs(name)) continue;
    headers[name] = value;
  }
  Object.assign(headers, bodyFraming(request));
  headers['x-forwarded-for'] = peer.address;
  headers['x-forwarded-proto'] = peer.secure ? 'https' : 'http';
  headers['x-vedette-loopback'] = peer.loopback ? '1' : '0';
  return headers;
}

/**
 * How long the body is stands in the head that goes on, whatever the `connection` header names: a body without its
 * length would be read as the next request, without our headers.
 */
function bodyFraming({ headers }: IncomingMessage): Record<string, string> {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  return headers['content-length'] === undefined ? {} : { 'content-length': headers['content-length'] };
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
}

/**
 * @param response of the process behind the gateway
 * @returns name, value, name, value …
 */
export function responseHeaders(response: IncomingMessage): string[] {
  const named = namedByConnection(response.headers.connection);
  const headers: string[] = [];
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = response.rawHeaders[index] ?? '';
    const lower = name.toLowerCase();
    if (!HOP_BY_HOP.has(lower) && !named.has(lower)) headers.push(name, response.rawHeaders[index + 1] ?? '');
  }
  return headers;
}
