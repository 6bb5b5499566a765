// The HTTP side of the media engine: /media/hls/<ticket>/…, /media/fragments/<ticket>, /media/snapshot/<ticket>.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { Disk } from '../recordings/disk.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { Stills } from '../snapshot/stills.ts';
import type { StreamHub } from '../stream/hub.ts';
import { parseFragmentName } from './fragment-names.ts';
import { GuessLimit } from './guess-limit.ts';
import { HttpAnswer, mediaHeaders, send, sendFailure } from './http-answer.ts';
import { parseInitName, parseSegmentName, writeRecordedPlaylist } from './hls-playlist.ts';
import type { LiveHls } from './live-hls.ts';
import { LiveHlsShelf } from './live-hls-shelf.ts';
import type { AuthorisePlayback, PlaybackGrant, PlaybackUse } from './playback-grant.ts';
import { isPlannable, planWindow } from './playback-plan.ts';
import { sendFragments } from './progressive.ts';
import { readKeyPicture, readStoredSegment, writeFragmentIndex } from './stored-fragments.ts';
import { readFileInit, readInit, readSegment } from './stored-media.ts';

export interface PlaybackEndpointOptions {
  readonly disk: Disk;
  /** Asked at each request: the store is another one after the storage folder was changed. */
  readonly store: () => RecordingsStore;
  readonly hub: StreamHub;
  readonly monotonicMs: () => number;
  readonly authorise: AuthorisePlayback;
  /** Logged by the caller; never holds a ticket. */
  readonly onFailure: (error: unknown) => void;
  readonly stills: Stills;
}

export interface PlaybackEndpoint {
  /** False: the path is not ours. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

const PATH = /^\/media\/(hls|fragments|snapshot)\/([A-Za-z0-9_-]{16,128})(?:\/([A-Za-z0-9._-]{1,80}))?$/;
/** A live playlist is answered when its first segment is whole, or given up after this. */
const LIVE_READY_MS = 15_000;
const STILL_WIDTH_MAX = 3840;

export function createPlaybackEndpoint(options: PlaybackEndpointOptions): PlaybackEndpoint {
  const live = new LiveHlsShelf();
  const guesses = new GuessLimit(options.monotonicMs);
  return {
    handle: (request, response) => {
      const url = URL.parse(request.url ?? '/', 'http://site');
      const match = PATH.exec(url?.pathname ?? '');
      if (!url || !match) return false;
      const [, use, ticket, name] = match as unknown as [string, PlaybackUse, string, string | undefined];
      respond({ options, live, guesses, request, response, url, use, ticket, name: name ?? '' }).catch(
        (error: unknown) => {
          sendFailure(response, error, options.onFailure);
        },
      );
      return true;
    },
    close: () => live.close(),
  };
}

interface Exchange {
  readonly options: PlaybackEndpointOptions;
  readonly live: LiveHlsShelf;
  readonly guesses: GuessLimit;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly use: PlaybackUse;
  readonly ticket: string;
  readonly name: string;
}

async function respond(exchange: Exchange): Promise<void> {
  const { request, use, options, ticket } = exchange;
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new HttpAnswer(405, ERROR_CODES.paramInvalid);
  const grant = options.authorise(ticket, use);
  if (!grant.allowed) {
    const isGuess = grant.code === ERROR_CODES.tokenInvalid && exchange.guesses.refused(clientOf(request));
    throw isGuess ? new HttpAnswer(429, ERROR_CODES.tooManyRequests) : new HttpAnswer(grant.status, grant.code);
  }
  if (use === 'snapshot') await snapshot(exchange, grant);
  else if (use === 'fragments') await fragments(exchange, grant);
  else if (grant.kind === 'live') await liveHls(exchange, grant);
  else await recordedHls(exchange, grant);
}

/** The front names whom it speaks for. */
function clientOf({ headers }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  return typeof forwarded === 'string' ? forwarded : '';
}

async function recordedHls(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { options, name } = exchange;
  const { key, range } = grant;
  if (!key || !range) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  const store = options.store();
  const media = { disk: options.disk, store, key };
  if (name === 'index.m3u8') {
    const plan = await planWindow({ store, key, startMs: range.startTime, endMs: range.endTime });
    if (plan.segments.length === 0) throw new HttpAnswer(404, ERROR_CODES.notFound);
    const body = Buffer.from(writeRecordedPlaylist(plan));
    send(exchange, { status: 200, type: 'application/vnd.apple.mpegurl', body: [body] });
    return;
  }
  const initOf = parseInitName(name);
  if (initOf !== null) {
    await assertInRange(store, grant, initOf.fileStartMs);
    send(exchange, { status: 200, type: 'video/mp4', body: [await readInit(media, initOf)] });
    return;
  }
  const ref = parseSegmentName(name);
  if (!ref) throw new HttpAnswer(404, ERROR_CODES.notFound);
  const index = await assertInRange(store, grant, ref.fileStartMs);
  if (!isPlannable(index, ref, range)) throw new HttpAnswer(404, ERROR_CODES.notFound);
  send(exchange, { status: 200, type: 'video/iso.segment', body: await readSegment(media, index, ref) });
}

async function assertInRange(store: RecordingsStore, { key, range }: PlaybackGrant, fileStartMs: number) {
  const files = key && range ? store.files(key, range.startTime, range.endTime) : [];
  const index =
    key && files.some((file) => file.startMs === fileStartMs) ? await store.readIndex(key, fileStartMs) : null;
  if (!index) throw new HttpAnswer(404, ERROR_CODES.notFound);
  return index;
}

async function liveHls(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { name } = exchange;
  const stream = liveOf(exchange, grant);
  if (name === 'index.m3u8') {
    const ready = stream.ready();
    const late = new Promise<'late'>((resolve) => {
      AbortSignal.any([grant.ended, AbortSignal.timeout(LIVE_READY_MS)]).addEventListener('abort', () =>
        resolve('late'),
      );
    });
    if ((await Promise.race([ready, late])) === 'late') throw new HttpAnswer(404, ERROR_CODES.devResponseTimeOut);
    const body = Buffer.from(stream.playlist());
    send(exchange, { status: 200, type: 'application/vnd.apple.mpegurl', body: [body] });
    return;
  }
  const init = /^init-(\d{1,9})\.mp4$/.exec(name);
  const segment = /^live-(\d{1,9})\.m4s$/.exec(name);
  const body = init ? stream.init(Number(init[1])) : segment ? stream.segment(Number(segment[1])) : null;
  if (!body) throw new HttpAnswer(404, ERROR_CODES.notFound);
  send(exchange, { status: 200, type: init ? 'video/mp4' : 'video/iso.segment', body: [body] });
}

function liveOf({ live, options }: Exchange, { sessionId, ended, upstream }: PlaybackGrant): LiveHls {
  if (!upstream) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  const { hub, monotonicMs } = options;
  return live.take(sessionId, ended, { hub, monotonicMs, ...upstream });
}

async function fragments(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { options, response, url, name } = exchange;
  const { key, range } = grant;
  if (!key || !range) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  if (name === 'still') return await storedStill(exchange, grant);
  if (name !== '') return await fragmentPart(exchange, grant, { key, range });
  const from = Number(url.searchParams.get('from') ?? range.startTime);
  if (!Number.isFinite(from)) throw new HttpAnswer(404, ERROR_CODES.paramInvalid);
  const startMs = Math.min(Math.max(from, range.startTime), range.endTime);
  const store = options.store();
  const plan = await planWindow({ store, key, startMs, endMs: range.endTime });
  const [first] = plan.segments;
  if (!first) throw new HttpAnswer(404, ERROR_CODES.notFound);
  response.writeHead(200, {
    ...mediaHeaders('video/mp4'),
    // Wall clock of the first picture; the clock boxes (prft) in the body name those that follow.
    'x-vedette-start': String(Math.round(first.wallMs)),
  });
  const release = grant.hold();
  try {
    await sendFragments({ media: { disk: options.disk, store, key }, plan, response, ended: grant.ended });
  } finally {
    release();
  }
}

async function fragmentPart(
  exchange: Exchange,
  grant: PlaybackGrant,
  { key, range }: { readonly key: TrackKey; readonly range: NonNullable<PlaybackGrant['range']> },
): Promise<void> {
  const store = exchange.options.store();
  const media = { disk: exchange.options.disk, store, key };
  const wanted = parseFragmentName(exchange.name);
  if (!wanted) throw new HttpAnswer(404, ERROR_CODES.notFound);
  if (wanted.kind === 'index') {
    const plan = await planWindow({ store, key, startMs: range.startTime, endMs: range.endTime });
    return send(exchange, { status: 200, type: 'application/json', body: [Buffer.from(writeFragmentIndex(plan))] });
  }
  const index = await assertInRange(store, grant, wanted.fileStartMs);
  if (wanted.kind === 'init') {
    const { init } = await readFileInit(media, wanted.fileStartMs);
    return send(exchange, { status: 200, type: 'video/mp4', body: [init] });
  }
  if (!isPlannable(index, wanted, range)) throw new HttpAnswer(404, ERROR_CODES.notFound);
  const read = wanted.kind === 'key' ? readKeyPicture : readStoredSegment;
  send(exchange, { status: 200, type: 'video/iso.segment', body: [await read(media, index, wanted)] });
}

async function snapshot(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { options, url } = exchange;
  if (grant.range) return await storedStill(exchange, grant);
  const { upstream, deviceSnapshot, ended, sessionId } = grant;
  const subject = upstream?.streamKey ?? sessionId;
  const picture = await options.stills.now({ subject, upstream, deviceSnapshot }, widthOf(url));
  if (ended.aborted) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  if (!picture) throw new HttpAnswer(404, ERROR_CODES.functionNotSupported);
  const type = picture.contentType === 'video/mp4' ? 'video/mp4' : 'image/jpeg';
  send(exchange, { status: 200, type, body: [picture.data] });
}

/** `?at=` wall clock in ms within the granted range, `?width=` at most so wide: the scrub picture of that instant. */
async function storedStill(exchange: Exchange, { key, range, ended }: PlaybackGrant): Promise<void> {
  const { options, url } = exchange;
  if (!key || !range) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  const atMs = Number(url.searchParams.get('at') ?? Number.NaN);
  if (!(atMs >= range.startTime && atMs <= range.endTime)) throw new HttpAnswer(404, ERROR_CODES.paramInvalid);
  const picture = await options.stills.at(key, atMs, widthOf(url));
  if (ended.aborted) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  if (!picture) throw new HttpAnswer(404, ERROR_CODES.notFound);
  const headers = { 'x-vedette-at': String(Math.round(picture.wallMs)) };
  send(exchange, { status: 200, type: picture.contentType, body: [picture.data], headers });
}

function widthOf(url: URL): number {
  const width = Number(url.searchParams.get('width') ?? STILL_WIDTH_MAX);
  return width > 0 ? Math.min(width, STILL_WIDTH_MAX) : STILL_WIDTH_MAX;
}
