// HTTP headers that the relay passes on: of a request all but the hop-by-hop ones, of a remote site's response an allow-list.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { HOP_BY_HOP } from '@vedette/protocols/http/hop-by-hop.ts';

/** Every request has a stream of its own. What the viewer named in `Connection` the gateway has dropped. */
export function relayedHeaders({ headers }: IncomingMessage): IncomingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
  const hasUnknownLength = headers['transfer-encoding'] !== undefined;
  return {
    ...Object.fromEntries(kept),
    ...(hasUnknownLength && { 'transfer-encoding': 'chunked' }),
    connection: 'close',
  };
}

/**
 * Response headers a remote site may set. It answers under the console's address, so it may not set cookies,
 * redirects, page policies or caching.
 */
const RELAYED = new Set([
  'accept-ranges',
  'content-disposition',
  'content-length',
  'content-range',
  'etag',
  'x-vedette-at',
  'x-vedette-start',
]);
/** Media types of media and error answers; all others become downloads. */
const TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/sdp',
  'application/vnd.apple.mpegurl',
  'application/zip',
  'audio/mp4',
  'image/jpeg',
  'image/png',
  'image/webp',
  'multipart/x-mixed-replace',
  'video/iso.segment',
  'video/mp4',
  'video/x-flv',
]);
const OURS = {
  'cache-control': 'no-store, private',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const CDN_LIVE = '/media/cdn/';
/** Streams of CDN live are for caches, for a minute at most, and for pages of everyone: whoever has the address may watch. */
const SHORT_CACHING = /^public, max-age=\d{1,2}(?:, stale-while-revalidate=\d)?$/;

/** Null for an answer that no site should give, such as a redirect. */
export function relayedResponseHeaders(
  { statusCode = 0, headers }: Pick<IncomingMessage, 'statusCode' | 'headers'>,
  { url: path = '', headers: asked }: Pick<IncomingMessage, 'url' | 'headers'>,
): Record<string, string> | null {
  const isPassed = (statusCode >= 200 && statusCode < 300) || (statusCode >= 400 && statusCode < 600);
  if (!isPassed) return null;
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    RELAYED.has(name) && typeof value === 'string' ? [[name, value]] : [],
  );
  return {
    ...Object.fromEntries(kept),
    // Of an accepted offer: the session's address must be where the offer was sent.
    ...(statusCode === 201 && { location: path }),
    ...typeHeader(headers['content-type']),
    ...OURS,
    ...pageHeaders(asked.origin, headers['access-control-allow-origin']),
    ...cdnLiveHeaders(path, headers['cache-control']),
  };
}

function typeHeader(type = ''): Record<string, string> {
  const isMedia = TYPES.has((type.split(';')[0] ?? '').trim().toLowerCase());
  return type === '' ? {} : { 'content-type': isMedia ? type : 'application/octet-stream' };
}

/** For the page that asked, where the site knows it from its ticket; a site opens its media to nobody else. */
function pageHeaders(origin: string | undefined, allowed: string | undefined): Record<string, string> {
  return origin === undefined || origin !== allowed ? {} : { 'access-control-allow-origin': origin, vary: 'origin' };
}

function cdnLiveHeaders(path: string, caching = ''): Record<string, string> {
  if (!path.startsWith(CDN_LIVE)) return {};
  return {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    ...(SHORT_CACHING.test(caching) && { 'cache-control': caching }),
  };
}

/** Request header of a WebSocket upgrade, as raw text. */
export function relayedHead(request: IncomingMessage, target: string): string {
  const lines = [`GET ${target} HTTP/1.1`, 'connection: Upgrade', 'upgrade: websocket'];
  for (const [name, value] of Object.entries(request.headers)) {
    if (HOP_BY_HOP.has(name) || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) lines.push(`${name}: ${one}`);
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
