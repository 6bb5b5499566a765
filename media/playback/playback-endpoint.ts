// HTTP endpoints of playback: /media/hls/<ticket>/…, /media/fragments/<ticket>, /media/snapshot/<ticket>.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { HLS_TRACKS_NAME } from '@vedette/contract/media-wire.ts';
import type { Disk } from '../recordings/disk.ts';
import type { FileIndex } from '../recordings/index-record.ts';
import type { TrackKey } from '../recordings/recording-path.ts';
import { type RecordedMedia, readProvenInit } from '../recordings/check/proven-media.ts';
import type { RecordingsStore } from '../recordings/recordings-store.ts';
import type { Snapshots } from '../snapshot/snapshots.ts';
import type { StreamHub } from '../stream/hub.ts';
import { awaitEdgePlayback } from './edge-playback.ts';
import type { RecordedAac } from './encoded-audio/recorded-aac.ts';
import { type FragmentRef, parseFragmentName } from './fragment-names.ts';
import { GuessLimit } from './guess-limit.ts';
import { HttpAnswer, mediaHeaders, openToPage, send, sendFailure } from './http-answer.ts';
import { parseInitName, parseSegmentName, writeRecordedPlaylist } from './hls-playlist.ts';
import type { LiveHls } from './live-hls.ts';
import { LiveHlsPool } from './live-hls-pool.ts';
import { LiveHlsTracks } from './live-hls-tracks.ts';
import type { AuthorisePlayback, LiveUpstream, PlaybackGrant, PlaybackUse } from './playback-grant.ts';
import { exactWindowEnd, hasPlayableAudio, isPlannable, planWindow } from './playback-plan.ts';
import { sendFragments } from './progressive.ts';
import { readKeyframe, readStoredSegment } from './stored-fragments.ts';
import { readInit, readSegment } from './stored-media.ts';
import { writeSegmentIndex } from './segment-index.ts';

export interface PlaybackEndpointOptions {
  readonly disk: Disk;
  /** Read at each request: the store is replaced when the storage folder changes. */
  readonly store: () => RecordingsStore;
  readonly hub: StreamHub;
  readonly monotonicMs: () => number;
  readonly authorise: AuthorisePlayback;
  /** Logged by the caller; contains no ticket. */
  readonly onFailure: (error: unknown) => void;
  readonly snapshots: Snapshots;
  /** The same stream with audio that HLS can carry, where that can be made. */
  readonly playableAudio: (upstream: LiveUpstream) => LiveUpstream;
  /** Encodes recorded audio that HLS cannot carry; null without ffmpeg. */
  readonly recordedAac: RecordedAac | null;
}

export interface PlaybackEndpoint {
  /** False: another path. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

const PATH = /^\/media\/(hls|fragments|snapshot)\/([A-Za-z0-9_-]{16,128})(?:\/([A-Za-z0-9._-]{1,80}))?$/;
/** A live playlist waits for its first segment until this timeout. */
const LIVE_READY_MS = 15_000;
const SNAPSHOT_WIDTH_MAX = 3840;
/** Timeouts of edge recordings: for the first data, and for a complete body. */
const FIRST_FETCH = { enoughMs: 12_000, limitMs: 10_000 } as const;
const WHOLE_FETCH = { enoughMs: Number.POSITIVE_INFINITY, limitMs: 60_000 } as const;

export function createPlaybackEndpoint(options: PlaybackEndpointOptions): PlaybackEndpoint {
  const live = new LiveHlsPool();
  const tracks = new LiveHlsTracks(options.monotonicMs);
  const guesses = new GuessLimit(options.monotonicMs);
  return {
    handle: (request, response) => {
      const url = URL.parse(request.url ?? '/', 'http://site');
      const match = PATH.exec(url?.pathname ?? '');
      if (!url || !match) return false;
      const [, use, ticket, name] = match as unknown as [string, PlaybackUse, string, string | undefined];
      respond({ options, live, tracks, guesses, request, response, url, use, ticket, name: name ?? '' }).catch(
        (error: unknown) => {
          sendFailure(response, error, options.onFailure);
        },
      );
      return true;
    },
    close: () => {
      tracks.close();
      live.close();
      options.recordedAac?.close();
    },
  };
}

interface Exchange {
  readonly options: PlaybackEndpointOptions;
  readonly live: LiveHlsPool;
  readonly tracks: LiveHlsTracks;
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
  openToPage(exchange, grant.pageOrigin);
  if (!grant.allowed) {
    const isGuess = grant.code === ERROR_CODES.tokenInvalid && exchange.guesses.refused(clientOf(request));
    throw isGuess ? new HttpAnswer(429, ERROR_CODES.tooManyRequests) : new HttpAnswer(grant.status, grant.code);
  }
  countSent(exchange, grant);
  if (use === 'snapshot') await snapshot(exchange, grant);
  else if (use === 'fragments') await fragments(exchange, grant);
  else if (grant.kind === 'live') await liveHls(exchange, grant);
  else await recordedHls(exchange, grant);
}

/** Responses of a connection follow each other: what its socket wrote meanwhile is this one. */
function countSent({ request: { socket }, response }: Exchange, { onSent }: PlaybackGrant): void {
  if (onSent === undefined) return;
  const before = socket.bytesWritten;
  response.once('close', () => onSent(socket.bytesWritten - before));
}

/** Address of the viewer, set by the gateway. */
function clientOf({ headers }: IncomingMessage): string {
  const forwarded = headers['x-forwarded-for'];
  return typeof forwarded === 'string' ? forwarded : '';
}

type Range = NonNullable<PlaybackGrant['range']>;

/** A body, playlist or snapshot is of one kind of recordings: ours, or edge recordings where we have none. */
function soleMedia({ options }: Exchange, { key, range, edge }: PlaybackGrant): RecordedMedia & { range: Range } {
  if (!key || !range) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  const { disk } = options;
  return edge?.isAlone
    ? { disk, store: edge.store, key: edge.key, range }
    : { disk, store: options.store(), key, range };
}

async function recordedPlaylist(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { range, ...media } = soleMedia(exchange, grant);
  const there = await whatIsThere(grant, range, FIRST_FETCH);
  const plan = await planWindow({ ...media, startMs: range.startTime, endMs: there, isExact: range.isExact });
  const isGrowing = there < range.endTime;
  // The last segment may still grow, but a segment listed once stays the same.
  const segments = isGrowing && plan.segments.length > 1 ? plan.segments.slice(0, -1) : plan.segments;
  if (segments.length === 0) throw new HttpAnswer(404, ERROR_CODES.notFound);
  const hasAudio = hasPlayableAudio(plan, exchange.options.recordedAac !== null);
  const isAudioLeftOut = !hasAudio && (plan.audio.has('g711') || plan.audio.has('playable'));
  const body = Buffer.from(writeRecordedPlaylist({ segments, hasAudio, isAudioLeftOut, isGrowing }));
  send(exchange, { status: 200, type: 'application/vnd.apple.mpegurl', body: [body] });
}

async function recordedHls(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { name } = exchange;
  if (name === 'index.m3u8') return await recordedPlaylist(exchange, grant);
  const { recordedAac: aac } = exchange.options;
  const { range, ...media } = soleMedia(exchange, grant);
  const initOf = parseInitName(name);
  if (initOf !== null) {
    await assertInRange(media, range, initOf.fileStartMs);
    send(exchange, { status: 200, type: 'video/mp4', body: [await readInit(media, initOf, aac)] });
    return;
  }
  const ref = parseSegmentName(name);
  if (!ref) throw new HttpAnswer(404, ERROR_CODES.notFound);
  const index = await assertInRange(media, range, ref.fileStartMs);
  if (!isPlannable(index, ref, range)) throw new HttpAnswer(404, ERROR_CODES.notFound);
  // Prefetches what follows; its failures are reported with the playlist.
  grant.edge?.request(index.records[ref.firstRecord]?.wallMs ?? range.startTime).catch(() => undefined);
  send(exchange, {
    status: 200,
    type: 'video/iso.segment',
    body: await readSegment(media, index, ref, { cutMs: cutAt(index, ref, range), aac }),
  });
}

function cutAt({ records }: FileIndex, { firstRecord, count }: FragmentRef, range: Range): number | null {
  return exactWindowEnd(records.slice(firstRecord, firstRecord + count), range);
}

/** End of the playable recordings from the start of the window; edge recordings are fetched up to a limit. */
async function whatIsThere(
  { edge, ended }: PlaybackGrant,
  { startTime, endTime }: Range,
  limits: { readonly enoughMs: number; readonly limitMs: number },
): Promise<number> {
  return edge?.isAlone
    ? await awaitEdgePlayback(edge, { startMs: startTime, endMs: endTime, ended, ...limits })
    : endTime;
}

async function assertInRange({ store, key }: RecordedMedia, range: Range, fileStartMs: number) {
  const files = store.files(key, range.startTime, range.endTime);
  const index = files.some((file) => file.startMs === fileStartMs) ? await store.readIndex(key, fileStartMs) : null;
  if (!index) throw new HttpAnswer(404, ERROR_CODES.notFound);
  return index;
}

async function liveHls(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { name } = exchange;
  if (name === HLS_TRACKS_NAME) return liveTracks(exchange, grant);
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

function liveTracks(exchange: Exchange, grant: PlaybackGrant): void {
  const after = Number(exchange.url.searchParams.get('after') ?? 0);
  if (!Number.isFinite(after) || !grant.followTracks) throw new HttpAnswer(404, ERROR_CODES.notFound);
  const body = Buffer.from(JSON.stringify(exchange.tracks.after(grant, after)));
  send(exchange, { status: 200, type: 'application/json', body: [body] });
}

function liveOf({ live, options }: Exchange, { sessionId, ended, upstream }: PlaybackGrant): LiveHls {
  if (!upstream) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  const { hub, monotonicMs, playableAudio } = options;
  return live.take(sessionId, ended, { hub, monotonicMs, ...playableAudio(upstream) });
}

async function fragments(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { options, response, url, name } = exchange;
  const { key, range } = grant;
  if (!key || !range) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  if (name === 'still') return await storedSnapshot(exchange, grant);
  if (name === 'index.json') {
    const atMs = instantOf(url, 'at', range);
    const text = await writeSegmentIndex({ store: options.store(), key, range, edge: grant.edge, atMs });
    return send(exchange, { status: 200, type: 'application/json', body: [Buffer.from(text)] });
  }
  if (name !== '') return await fragmentPart(exchange, grant, { key, range });
  const media = soleMedia(exchange, grant);
  const startMs = instantOf(url, 'from', range);
  const release = grant.hold();
  try {
    const endMs = await whatIsThere(grant, { ...range, startTime: startMs }, WHOLE_FETCH);
    const plan = await planWindow({ ...media, startMs, endMs, isExact: range.isExact });
    const [first] = plan.segments;
    if (!first) throw new HttpAnswer(404, ERROR_CODES.notFound);
    response.writeHead(200, {
      ...mediaHeaders('video/mp4'),
      // Wall clock of the first frame; the clock boxes (prft) in the body give the others.
      'x-vedette-start': String(Math.round(first.wallMs)),
    });
    await sendFragments({ media, plan, range, response, ended: grant.ended, aac: options.recordedAac });
  } finally {
    release();
  }
}

/** From the query, clamped to the window; default: its start. */
function instantOf(url: URL, name: string, { startTime, endTime }: Range): number {
  const at = Number(url.searchParams.get(name) ?? startTime);
  if (!Number.isFinite(at)) throw new HttpAnswer(404, ERROR_CODES.paramInvalid);
  return Math.min(Math.max(at, startTime), endTime);
}

async function fragmentPart(
  exchange: Exchange,
  { edge }: PlaybackGrant,
  { key, range }: { readonly key: TrackKey; readonly range: Range },
): Promise<void> {
  const wanted = parseFragmentName(exchange.name);
  if (!wanted || wanted.kind === 'index') throw new HttpAnswer(404, ERROR_CODES.notFound);
  const { disk } = exchange.options;
  if (wanted.isEdge ? !edge : edge?.isAlone) throw new HttpAnswer(404, ERROR_CODES.notFound);
  const media =
    wanted.isEdge && edge ? { disk, store: edge.store, key: edge.key } : { disk, store: exchange.options.store(), key };
  const index = await assertInRange(media, range, wanted.fileStartMs);
  if (wanted.kind === 'init') {
    const { init } = await readProvenInit(media, wanted.fileStartMs);
    return send(exchange, { status: 200, type: 'video/mp4', body: [init] });
  }
  if (!isPlannable(index, wanted, range)) throw new HttpAnswer(404, ERROR_CODES.notFound);
  const body =
    wanted.kind === 'key'
      ? await readKeyframe(media, index, wanted)
      : await readStoredSegment(media, index, wanted, cutAt(index, wanted, range));
  send(exchange, { status: 200, type: 'video/iso.segment', body: [body] });
}

async function snapshot(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { options, url } = exchange;
  if (grant.range) return await storedSnapshot(exchange, grant);
  const { upstream, deviceSnapshot, ended, sessionId } = grant;
  const subject = upstream?.streamKey ?? sessionId;
  const picture = await options.snapshots.now({ subject, upstream, deviceSnapshot }, widthOf(url));
  if (ended.aborted) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  if (!picture) throw new HttpAnswer(404, ERROR_CODES.functionNotSupported);
  const type = picture.contentType === 'video/mp4' ? 'video/mp4' : 'image/jpeg';
  send(exchange, { status: 200, type, body: [picture.data] });
}

/** `?at=` wall clock in ms within the granted range, `?width=` maximum width: the thumbnail of that instant. */
async function storedSnapshot(exchange: Exchange, grant: PlaybackGrant): Promise<void> {
  const { options, url } = exchange;
  const { store, key, range } = soleMedia(exchange, grant);
  const { ended } = grant;
  const atMs = Number(url.searchParams.get('at') ?? Number.NaN);
  if (!(atMs >= range.startTime && atMs <= range.endTime)) throw new HttpAnswer(404, ERROR_CODES.paramInvalid);
  const picture = await options.snapshots.at(key, atMs, widthOf(url), store);
  if (ended.aborted) throw new HttpAnswer(403, ERROR_CODES.permissionDenied);
  // The nearest frame may be slightly outside the window.
  const isBeside = picture && (picture.wallMs < range.startTime || picture.wallMs >= range.endTime);
  if (!picture || (range.isExact && isBeside)) throw new HttpAnswer(404, ERROR_CODES.notFound);
  const headers = { 'x-vedette-at': String(Math.round(picture.wallMs)) };
  send(exchange, { status: 200, type: picture.contentType, body: [picture.data], headers });
}

function widthOf(url: URL): number {
  const width = Number(url.searchParams.get('width') ?? SNAPSHOT_WIDTH_MAX);
  return width > 0 ? Math.min(width, SNAPSHOT_WIDTH_MAX) : SNAPSHOT_WIDTH_MAX;
}
