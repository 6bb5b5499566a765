// HTTP endpoint of live streams for CDNs: /media/cdn/<token>/<stream>/live.m3u8, live.flv, and the files that the playlist names.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { siteOfTicket } from '@vedette/contract/remote-site.ts';
import { signedUntil } from '@vedette/foundation/signing/expiring-signature.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { type DeliveryDirectives, readDirectives, whenToAnswer } from '@vedette/protocols/hls/delivery-directives.ts';
import { writeLowLatencyPlaylist } from '@vedette/protocols/hls/low-latency-playlist.ts';
import { GuessLimit } from '../playback/guess-limit.ts';
import { HttpAnswer, sendFailure } from '../playback/http-answer.ts';
import type { OriginLive } from './origin-live.ts';

export interface OriginEndpointOptions {
  readonly clock: Clock;
  /** By the name of its stream; null where there is none. */
  readonly find: (stream: string) => OriginLive | null;
  /** Logged by the caller; contains no token. */
  readonly onFailure: (error: unknown) => void;
}

export type OriginEndpoint = (request: IncomingMessage, response: ServerResponse) => boolean;

const PATH = /^\/media\/cdn\/([\w-]{16,128})\/([A-Za-z0-9]{1,64}-[012])\/([\w.-]{1,64})$/;
/** Of a remote site's address: the local site knows by it where to relay. */
const SITE_PREFIX = /^far-[0-9a-f]{24}-/;
/** A camera needs some seconds until its first segment is there. */
const FIRST_SEGMENT_MS = 15_000;
/** Three target durations (RFC 8216bis 6.2.5.2). */
const RELOAD_MS = 12_000;
/** Files never change; nobody asks for them after this. */
const FILE_CACHING = 'public, max-age=60';
/** A blocked playlist never changes either: its address names what it waited for. */
const BLOCKED_CACHING = 'public, max-age=12';
/** A cache fetches it again for all who begin to watch at a time, and gives them what it has until then (RFC 5861). */
const PLAYLIST_CACHING = 'public, max-age=1, stale-while-revalidate=4';

/** False: another path. */
export function createOriginEndpoint(options: OriginEndpointOptions): OriginEndpoint {
  const guesses = new GuessLimit(() => options.clock.monotonicMs());
  return (request, response) => {
    const url = URL.parse(request.url ?? '/', 'http://site');
    const [, token, stream, name] = PATH.exec(url?.pathname ?? '') ?? [];
    if (!url || token === undefined || stream === undefined || name === undefined) return false;
    const exchange = { options, guesses, request, response, query: url.searchParams, token, stream, name };
    respond(exchange).catch((error: unknown) => sendFailure(response, error, options.onFailure));
    return true;
  };
}

interface Exchange {
  readonly options: OriginEndpointOptions;
  readonly guesses: GuessLimit;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  readonly token: string;
  readonly stream: string;
  readonly name: string;
}

interface Viewing extends Exchange {
  readonly live: OriginLive;
  /** Wall clock; the address holds until then. */
  readonly untilMs: number;
  /** Aborted when the viewer is gone. */
  readonly gone: AbortSignal;
}

async function respond(exchange: Exchange): Promise<void> {
  const { request, response, name } = exchange;
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new HttpAnswer(405, ERROR_CODES.paramInvalid);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const viewing = { ...exchange, ...admit(exchange), gone: gone.signal };
  if (name === 'live.m3u8') await playlist(viewing);
  else if (name === 'live.flv') flv(viewing);
  else await file(viewing);
}

/** Throws 404 without the stream, 401 for a token that was altered, is for another stream, or expired. */
function admit({ options, guesses, request, token, stream }: Exchange): Pick<Viewing, 'live' | 'untilMs'> {
  const live = options.find(stream);
  const secret = siteOfTicket(token) === null ? token : token.replace(SITE_PREFIX, '');
  const untilS = live === null ? null : signedUntil(live.key, stream, secret);
  const untilMs = (untilS ?? 0) * 1000;
  if (live !== null && untilMs > options.clock.wallMs()) {
    live.noteAddress(addressOf(request));
    return { live, untilMs };
  }
  if (guesses.refused(addressOf(request))) throw new HttpAnswer(429, ERROR_CODES.tooManyRequests);
  if (live === null) throw new HttpAnswer(404, ERROR_CODES.notFound);
  throw new HttpAnswer(401, ERROR_CODES.tokenInvalid);
}

/** Of the viewer, or of the CDN in front of it; set by the gateway. */
function addressOf({ headers }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  return typeof forwarded === 'string' ? forwarded : '';
}

async function playlist(viewing: Viewing): Promise<void> {
  const { live, query } = viewing;
  const directives = readDirectives(query);
  if (directives === null) throw new HttpAnswer(400, ERROR_CODES.paramInvalid);
  await until(viewing, FIRST_SEGMENT_MS, () => live.window.isReady);
  await until(viewing, RELOAD_MS, () => isDue(directives, live));
  const body = Buffer.from(writeLowLatencyPlaylist(live.window.playlist(), directives.skips));
  const caching = directives.segment === null ? PLAYLIST_CACHING : BLOCKED_CACHING;
  send(viewing, { type: 'application/vnd.apple.mpegurl', body: [body], caching });
}

/** Throws 400 for what lies too far ahead. */
function isDue(directives: DeliveryDirectives, { window }: OriginLive): boolean {
  const when = whenToAnswer(directives, window.edge);
  if (when === 'refuse') throw new HttpAnswer(400, ERROR_CODES.paramInvalid);
  return when === 'now';
}

/** Waits part by part. Throws 404 when the stream has ended, 503 when it takes too long or too many wait. */
async function until(viewing: Viewing, mostMs: number, isThere: () => boolean): Promise<void> {
  const { live, options, gone, request } = viewing;
  if (isThere()) return;
  const late = new AbortController();
  const cancel = options.clock.after(mostMs, () => late.abort());
  const signal = AbortSignal.any([gone, late.signal]);
  try {
    while (!isThere()) {
      const outcome = await live.nextPart(addressOf(request), signal);
      if (live.ended.aborted) throw new HttpAnswer(404, ERROR_CODES.notFound);
      if (outcome === 'full' || signal.aborted) throw new HttpAnswer(503, ERROR_CODES.serviceBusy);
    }
  } finally {
    cancel();
  }
}

async function file(viewing: Viewing): Promise<void> {
  const { live, name } = viewing;
  let found = live.window.file(name);
  if (found === 'next') {
    await until(viewing, RELOAD_MS, () => live.window.file(name) !== 'next');
    found = live.window.file(name);
  }
  if (found === null || found === 'next') throw new HttpAnswer(404, ERROR_CODES.notFound);
  send(viewing, {
    type: name.endsWith('.mp4') ? 'video/mp4' : 'video/iso.segment',
    body: found,
    caching: FILE_CACHING,
  });
}

function flv({ live, request, response, untilMs }: Viewing): void {
  if (!live.takesFlvViewers) throw new HttpAnswer(503, ERROR_CODES.serviceBusy);
  response.writeHead(200, headersOf('video/x-flv', 'no-store'));
  if (request.method === 'HEAD') response.end();
  else live.addFlvViewer(response, untilMs);
}

interface Body {
  readonly type: string;
  readonly body: readonly Buffer[];
  readonly caching: string;
}

function send({ live, request, response }: Viewing, { type, body, caching }: Body): void {
  const length = body.reduce((sum, one) => sum + one.length, 0);
  response.writeHead(200, { ...headersOf(type, caching), 'content-length': length });
  if (request.method !== 'HEAD') {
    for (const piece of body) response.write(piece);
    live.countSent(length);
  }
  response.end();
}

/** Caches may keep it, and pages of other origins may play it: the token alone decides. */
function headersOf(type: string, caching: string): Record<string, string> {
  return {
    'content-type': type,
    'cache-control': caching,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}
