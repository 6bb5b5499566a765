// Composes all media endpoints of this site: live, playback with snapshots, exports and talk under /media/, and RTSP.
import type { IncomingMessage } from 'node:http';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import type { DriverLog } from '@vedette/drivers/kit/driver-context.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { CodecWorker } from '@vedette/media/codec/codec-worker.ts';
import type { StartTool } from '@vedette/media/codec/tool.ts';
import { Transcoder } from '@vedette/media/codec/transcoder.ts';
import { createExportEndpoint } from '@vedette/media/export/export-endpoint.ts';
import type { Exports } from '@vedette/media/export/exports.ts';
import { createLiveEndpoint } from '@vedette/media/live/live-endpoint.ts';
import { createPlaybackEndpoint } from '@vedette/media/playback/playback-endpoint.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import { Stills } from '@vedette/media/snapshot/stills.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import { TalkDesk } from '@vedette/media/talk/talk-desk.ts';
import { createTalkEndpoint } from '@vedette/media/talk/talk-endpoint.ts';
import { createWhepEndpoint } from '@vedette/media/whep/whep-endpoint.ts';
import { isForeignOrigin } from '@vedette/rules/foreign-origin.ts';
import type { Candidates } from './candidates.ts';
import type { DeviceFootage } from './device-footage/device-footage.ts';
import type { DriverWorld } from './driver-world.ts';
import { exportAuthority } from './export-calls.ts';
import type { Environment } from './environment.ts';
import type { Fleet } from './fleet.ts';
import type { HttpFrontOptions } from './http-front.ts';
import { MediaAuthority, type MediaAuthorityOptions } from './media-authority.ts';
import { random32 } from './randomness.ts';
import { RtspDoor } from './rtsp-door.ts';
import type { SiteStorage } from './site-storage.ts';
import { TalkLines } from './talk-lines.ts';
import type { PresetPictures } from './ptz/preset-pictures.ts';
import type { TicketRegistry } from './ticket-registry.ts';

export interface MediaDoorsOptions {
  readonly hub: StreamHub;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly storage: SiteStorage;
  readonly tickets: TicketRegistry;
  readonly fleet: Fleet;
  readonly candidates: Candidates;
  readonly world: DriverWorld;
  readonly exports: Exports;
  readonly pictures: PresetPictures;
  readonly deviceFootage: DeviceFootage;
  /** Starts the operator's ffmpeg; null where there is none. */
  readonly ffmpeg: StartTool | null;
  /** Streams that may be transcoded at a time. */
  readonly transcodes: number;
  readonly rtsp: Environment['rtsp'];
  /** Streams of other sites, where this one is the centre. */
  readonly farUpstream: MediaAuthorityOptions['farUpstream'];
  /** A viewer tried to get media from this site itself. */
  readonly onDirect: (isConnected: boolean) => void;
  readonly log: DriverLog & { error(fields: object, message: string): void };
}

export interface MediaDoors extends Pick<HttpFrontOptions, 'onRequest' | 'onUpgrade'> {
  readonly talk: TalkLines;
  readonly stills: Stills;
  readonly rtsp: RtspDoor;
  /** Ends live subscriptions of these tickets; answers how many. */
  endLive(ticketIds: ReadonlySet<string>, code: number): number;
  /** Viewers of a device that left are told. */
  deviceGone(deviceSerial: string): void;
  close(): Promise<void>;
}

const STILL_DECODERS = 2;

export function createMediaDoors(options: MediaDoorsOptions): MediaDoors {
  const { hub, clock, disk, tickets, fleet, candidates, deviceFootage, log } = options;
  const failed: Failed = (message) => (error) => log.error({ err: error }, message);
  const codec = new CodecWorker({ start: options.ffmpeg, clock, decoders: STILL_DECODERS });
  const transcoder = new Transcoder({ hub, clock, codec, start: options.ffmpeg, atOnce: options.transcodes });
  const authority = new MediaAuthority({
    tickets,
    fleet,
    candidates,
    transcoder,
    deviceFootage,
    farUpstream: options.farUpstream,
  });
  const authorise = authority.live;
  const live = createLiveEndpoint({
    hub,
    clock,
    authorise,
    allowsOrigin,
    onFailure: failed('a live connection failed'),
  });
  const stills = openStills(options, codec);
  const playback = openPlayback(options, authority, stills, failed);
  const giveExport = createExportEndpoint({
    disk,
    authorise: exportAuthority(tickets, options.exports),
    onFailure: failed('the download of an export failed'),
  });
  const { lines, talk } = openTalk(options, failed);
  const whep = openWhep(options, authority, failed);
  const rtsp = new RtspDoor({ hub, clock, authorise: authority.restream, place: options.rtsp, log });
  return {
    onRequest: (request, response) =>
      giveExport(request, response) ||
      options.pictures.onRequest(request, response) ||
      whep.handle(request, response) ||
      playback.handle(request, response),
    onUpgrade: { '/media/live': live.handleUpgrade, '/media/talk': talk.handleUpgrade },
    talk: lines,
    stills,
    rtsp,
    endLive: (ticketIds, code) => live.endWhere((grant) => ticketIds.has(grant.sessionId), code),
    deviceGone: (deviceSerial) => {
      deviceFootage.deviceGone(deviceSerial);
      const isOf = (streamKey: string): boolean => streamKey.startsWith(`${deviceSerial}/`);
      live.endWhere(({ streamKey }) => isOf(streamKey), ERROR_CODES.devNotExist);
      rtsp.endWhere(isOf);
      whep.endWhere(isOf);
    },
    close: async () => {
      live.close();
      talk.close();
      playback.close();
      codec.close();
      await whep.close();
      await rtsp.close();
    },
  };
}

type Failed = (message: string) => (error: unknown) => void;

function allowsOrigin({ headers }: IncomingMessage): boolean {
  return !isForeignOrigin(headers);
}

function openStills({ hub, disk, clock, storage, log }: MediaDoorsOptions, codec: CodecWorker): Stills {
  const store = () => storage.recordings.store;
  const onDeviceFailure = (error: unknown): void => log.info({ err: error }, 'the device gave no snapshot');
  return new Stills({ codec, hub, disk, store, clock, onDeviceFailure });
}

function openPlayback(options: MediaDoorsOptions, authority: MediaAuthority, stills: Stills, failed: Failed) {
  const { disk, hub, clock } = options;
  return createPlaybackEndpoint({
    disk,
    store: () => options.storage.recordings.store,
    hub,
    monotonicMs: () => clock.monotonicMs(),
    authorise: authority.playback,
    stills,
    onFailure: failed('a playback request failed'),
  });
}

function openWhep({ hub, clock, onDirect }: MediaDoorsOptions, authority: MediaAuthority, failed: Failed) {
  const authorise = authority.whep;
  const onFailure = failed('a viewer by WebRTC failed');
  return createWhepEndpoint({ hub, clock, authorise, random32, allowsOrigin, onTried: onDirect, onFailure });
}

function openTalk({ fleet, tickets, world, clock }: MediaDoorsOptions, failed: Failed) {
  const desk = new TalkDesk();
  const lines = new TalkLines({ fleet, tickets, world, clock, desk });
  const { authorise } = lines;
  const onFailure = failed('a talk failed');
  return { lines, talk: createTalkEndpoint({ clock, desk, authorise, seed: random32, allowsOrigin, onFailure }) };
}
