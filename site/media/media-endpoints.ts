// Composes all media endpoints of this site: playback with snapshots, exports and talk under /media/, RTSP, and live video for the gateway.
import type { IncomingMessage } from 'node:http';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { NetworkPolicy } from '@vedette/foundation/network/network-policy.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CodecWorker } from '@vedette/media/codec/codec-worker.ts';
import type { StartFfmpeg } from '@vedette/media/codec/ffmpeg-process.ts';
import { Transcoder } from '@vedette/media/codec/transcoder.ts';
import { createExportEndpoint } from '@vedette/media/export/export-endpoint.ts';
import type { Exports } from '@vedette/media/export/exports.ts';
import { createOriginEndpoint } from '@vedette/media/origin/origin-endpoint.ts';
import { RecordedAac } from '@vedette/media/playback/encoded-audio/recorded-aac.ts';
import { createPlaybackEndpoint } from '@vedette/media/playback/playback-endpoint.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import { Snapshots } from '@vedette/media/snapshot/snapshots.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import { TalkLock } from '@vedette/media/talk/talk-lock.ts';
import { createTalkEndpoint } from '@vedette/media/talk/talk-endpoint.ts';
import { RtcWorker } from '@vedette/media/whep/rtc-worker.ts';
import { createWhepEndpoint } from '@vedette/media/whep/whep-endpoint.ts';
import { foreignOrigin, isForeignOrigin } from '@vedette/rules/foreign-origin.ts';
import type { Candidates } from '../onboarding/candidates.ts';
import type { EdgeRecordings } from '../edge-playback/edge-recordings.ts';
import type { DriverContexts } from '../driver-host/driver-contexts.ts';
import { exportAuthority } from './export-calls.ts';
import { FeedListener } from './feed-listener.ts';
import type { Environment } from '../process/environment.ts';
import type { Fleet } from '../supervision/fleet.ts';
import type { HttpServerOptions } from '../process/http-server.ts';
import { CdnPushes } from '../cdn-live/cdn-pushes.ts';
import { PushOutlets } from '../cdn-live/push-outlets.ts';
import { MediaAuthorizer, type MediaAuthorizerOptions } from './media-authorizer.ts';
import { random32 } from '@vedette/foundation/random/random-numbers.ts';
import { RtspListener } from './rtsp-listener.ts';
import type { AssignmentCache } from '../state/assignment-cache.ts';
import type { SiteStorage } from '../recording/site-storage.ts';
import { TalkSessions } from './talk-sessions.ts';
import type { PresetSnapshots } from '../ptz/preset-snapshots.ts';
import type { TicketRegistry } from '../tickets/ticket-registry.ts';

export interface MediaEndpointsOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly storage: SiteStorage;
  readonly tickets: TicketRegistry;
  readonly traffic: MediaAuthorizerOptions['traffic'];
  readonly analysis: MediaAuthorizerOptions['analysis'];
  readonly fleet: Fleet;
  readonly cache: Pick<AssignmentCache, 'device'>;
  readonly candidates: Candidates;
  readonly driverContexts: DriverContexts;
  readonly exports: Exports;
  readonly presetSnapshots: PresetSnapshots;
  readonly edgeRecordings: EdgeRecordings;
  /** Starts the operator's ffmpeg; null without one. */
  readonly ffmpeg: StartFfmpeg | null;
  /** Streams that may be transcoded at a time. */
  readonly transcodes: number;
  readonly rtsp: Environment['rtsp'];
  /** Of the gateway's feed; null without a gateway. */
  readonly feedSocketPath: Environment['feedSocketPath'];
  /** Streams of remote sites, on the local site alone. */
  readonly remoteUpstream: MediaAuthorizerOptions['remoteUpstream'];
  readonly remoteTracks: MediaAuthorizerOptions['remoteTracks'];
  /** Result of a viewer's attempt at direct media. */
  readonly onDirect: (isConnected: boolean) => void;
  /** For what operators name. */
  readonly operatorPolicy: () => NetworkPolicy;
  readonly log: DriverLog & { error(fields: object, message: string): void };
}

export interface MediaEndpoints extends Pick<HttpServerOptions, 'onRequest' | 'onUpgrade'> {
  readonly talk: TalkSessions;
  readonly snapshots: Snapshots;
  readonly rtsp: RtspListener;
  readonly gatewayFeed: FeedListener;
  readonly cdnPushes: CdnPushes;
  /** Ends live subscriptions of these tickets; returns how many. */
  endLive(ticketIds: ReadonlySet<string>, code: number): number;
  /** Ends viewers of a removed device, with the reason. */
  deviceGone(deviceSerial: string): void;
  close(): Promise<void>;
}

const SNAPSHOT_DECODERS = 2;
/** Of recorded audio: each takes a core for a fifth of a second, every ten seconds of playback. */
const AUDIO_ENCODERS = 2;

export function createMediaEndpoints(options: MediaEndpointsOptions): MediaEndpoints {
  const { hub, clock, disk, tickets, edgeRecordings, log } = options;
  const failed: Failed = (message) => (error) => log.error({ err: error }, message);
  const codec = new CodecWorker({ start: options.ffmpeg, clock, decoders: SNAPSHOT_DECODERS });
  const transcoder = new Transcoder({ hub, clock, codec, start: options.ffmpeg, atOnce: options.transcodes });
  const assigned: MediaAuthorizerOptions['assigned'] = (deviceSerial) => options.cache.device(deviceSerial);
  const authority = new MediaAuthorizer({ ...options, assigned, transcoder });
  const gatewayFeed = openFeed(options, authority, failed);
  const { feed } = gatewayFeed;
  const snapshots = openSnapshots(options, codec);
  const playback = openPlayback(options, authority, { snapshots, transcoder }, failed);
  const giveExport = createExportEndpoint({
    disk,
    authorise: exportAuthority(tickets, options.exports),
    onFailure: failed('the download of an export failed'),
  });
  const rtc = new RtcWorker({ onFailure: failed('a peer by WebRTC failed') });
  const { lines, talk } = openTalk(options, rtc, failed);
  const whep = openWhep(options, authority, rtc, failed);
  const rtsp = new RtspListener({ hub, clock, authorise: authority.restream, place: options.rtsp, log });
  const { cdnPushes, origin } = openCdnLive(options, authority, rtc, failed);
  return {
    onRequest: (request, response) =>
      giveExport(request, response) ||
      options.presetSnapshots.onRequest(request, response) ||
      whep.handle(request, response) ||
      playback.handle(request, response) ||
      origin(request, response),
    onUpgrade: { '/media/talk': talk.handleUpgrade },
    talk: lines,
    snapshots,
    rtsp,
    gatewayFeed,
    cdnPushes,
    endLive: (ticketIds, code) => feed.endWhere((grant) => ticketIds.has(grant.sessionId), code),
    deviceGone: (deviceSerial) => {
      edgeRecordings.deviceGone(deviceSerial);
      const isOf = (streamKey: string): boolean => streamKey.startsWith(`${deviceSerial}/`);
      feed.endWhere(({ streamKey }) => isOf(streamKey), ERROR_CODES.devNotExist);
      rtsp.endWhere(isOf);
      whep.endWhere(isOf);
      cdnPushes.endWhere(isOf);
    },
    close: async () => {
      for (const part of [gatewayFeed, talk, playback, codec, whep]) part.close();
      await cdnPushes.close();
      await rtc.close();
      await rtsp.close();
    },
  };
}

type Failed = (message: string) => (error: unknown) => void;

function allowsOrigin({ headers }: IncomingMessage): boolean {
  return !isForeignOrigin(headers);
}

function openFeed(options: MediaEndpointsOptions, authority: MediaAuthorizer, failed: Failed): FeedListener {
  const { hub, clock, feedSocketPath: socketPath } = options;
  const onFailure = failed('the feed of the gateway failed');
  return new FeedListener({ socketPath, hub, clock, authorise: authority.live, onFailure });
}

function openSnapshots({ hub, disk, clock, storage, log }: MediaEndpointsOptions, codec: CodecWorker): Snapshots {
  const store = () => storage.recordings.store;
  const onDeviceFailure = (error: unknown): void => log.info({ err: error }, 'the device gave no snapshot');
  return new Snapshots({ codec, hub, disk, store, clock, onDeviceFailure });
}

function openPlayback(
  options: MediaEndpointsOptions,
  authority: MediaAuthorizer,
  { snapshots, transcoder }: { readonly snapshots: Snapshots; readonly transcoder: Transcoder },
  failed: Failed,
) {
  const { disk, hub, clock, ffmpeg: start } = options;
  const noAudio = failed('recorded audio could not be encoded');
  return createPlaybackEndpoint({
    disk,
    store: () => options.storage.recordings.store,
    hub,
    monotonicMs: () => clock.monotonicMs(),
    authorise: authority.playback,
    snapshots,
    playableAudio: (upstream) => transcoder.playableAudio(upstream),
    recordedAac: start && new RecordedAac({ start, clock, atOnce: AUDIO_ENCODERS, onFailure: noAudio }),
    onFailure: failed('a playback request failed'),
  });
}

function openWhep(options: MediaEndpointsOptions, authority: MediaAuthorizer, worker: RtcWorker, failed: Failed) {
  const { hub, clock, onDirect: onTried } = options;
  const authorise = authority.whep;
  const onFailure = failed('a viewer by WebRTC failed');
  return createWhepEndpoint({ hub, clock, authorise, worker, random32, allowsOrigin, onTried, onFailure });
}

function openCdnLive(options: MediaEndpointsOptions, authority: MediaAuthorizer, worker: RtcWorker, failed: Failed) {
  const { hub, clock, operatorPolicy: policy, ffmpeg } = options;
  const outlets = new PushOutlets({ clock, policy, worker, ffmpeg });
  const cdnPushes = new CdnPushes({ hub, clock, authorise: authority.push, outlets });
  const onFailure = failed('a request for a stream of CDN live failed');
  return { cdnPushes, origin: createOriginEndpoint({ clock, find: cdnPushes.origin, onFailure }) };
}

function openTalk({ fleet, tickets, driverContexts, clock }: MediaEndpointsOptions, rtc: RtcWorker, failed: Failed) {
  const lock = new TalkLock();
  const lines = new TalkSessions({ fleet, tickets, driverContexts, clock, talkLock: lock });
  const { authorise } = lines;
  const onFailure = failed('a talk failed');
  return {
    lines,
    talk: createTalkEndpoint({
      clock,
      lock,
      authorise,
      rtc,
      seed: random32,
      foreignOrigin: ({ headers }) => foreignOrigin(headers),
      onFailure,
    }),
  };
}
