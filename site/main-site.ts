// Composes the site process: what stands next to the cameras and goes on recording whatever becomes of the server.
import { join } from 'node:path';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { systemClock } from '@vedette/media/clock/clock.ts';
import { CodecWorker } from '@vedette/media/codec/codec-worker.ts';
import { createLiveEndpoint } from '@vedette/media/live/live-endpoint.ts';
import { createExportEndpoint } from '@vedette/media/export/export-endpoint.ts';
import { createPlaybackEndpoint } from '@vedette/media/playback/playback-endpoint.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { Stills } from '@vedette/media/snapshot/stills.ts';
import { SignInGate } from '@vedette/media/source/sign-in-gate.ts';
import { StreamHub } from '@vedette/media/stream/hub.ts';
import { isForeignOrigin } from '@vedette/rules/foreign-origin.ts';
import { destination, pino } from 'pino';
import { AssignmentCache } from './assignment-cache.ts';
import { Backfill } from './backfill.ts';
import { Candidates } from './candidates.ts';
import { DriverWorld } from './driver-world.ts';
import { readEnvironment } from './environment.ts';
import { createExports, exportAuthority } from './export-calls.ts';
import { EventSpool } from './event-spool.ts';
import { Fleet } from './fleet.ts';
import { HttpFront } from './http-front.ts';
import { MediaAuthority } from './media-authority.ts';
import { processIdentity } from './process-identity.ts';
import { endWithProcess, goFirst } from './process-life.ts';
import { SealedFile } from './sealed-file.ts';
import { ServerLink } from './server-link.ts';
import { createSiteCalls } from './site-calls.ts';
import { siteHealth } from './site-health.ts';
import { SiteStorage } from './site-storage.ts';
import { parseStreamKey } from './stream-key.ts';
import { TicketRegistry } from './ticket-registry.ts';

const SITE_ID = 'local';
/** Viewers linger so that switching pages and layouts finds their streams still connected. */
const LINGER_MS = 30_000;
const STILL_DECODERS = 2;

const environment = readEnvironment(process.env);
const log = pino({ name: 'site', level: environment.logLevel }, destination({ dest: 2, sync: true }));
const clock = systemClock;
const disk = createDisk({ syncsAtOnce: Math.max(2, Math.floor(environment.threads / 2)) });
goFirst(log);
const { masterKey, stateFolder } = environment;
await disk.makeFolder(stateFolder);

const cache = new AssignmentCache({
  file: new SealedFile({ disk, path: join(stateFolder, 'assignments.sealed'), masterKey, purpose: 'assignments' }),
  onFault: (error) => log.warn({ err: error }, 'the kept assignment could not be read or written'),
});
const spool = new EventSpool({
  disk,
  path: join(stateFolder, 'events.jsonl'),
  onFault: (error) => log.warn({ err: error }, 'events could not be kept on the disk'),
});
await Promise.all([cache.load(), spool.load()]);

const hub = new StreamHub({
  clock,
  lingerMs: LINGER_MS,
  onConsumerFailure: (key, error) => log.error({ key, err: error }, 'a consumer of a stream failed'),
});
const signInGate = new SignInGate(clock);
const tickets = new TicketRegistry(clock);
const storage = new SiteStorage({
  disk,
  clock,
  cache,
  writer: await processIdentity(),
  defaultFolder: environment.defaultRecordings,
  log,
});
const world = new DriverWorld({
  clock,
  log,
  ownPorts: environment.ownPorts,
  cameraNetworks: () => cache.settings?.cameraNetworks ?? [],
});
const fleet = new Fleet({
  hub,
  clock,
  disk,
  storage,
  world,
  signInGate,
  log,
  report: (event) => spool.add(event),
  onGone: (deviceSerial) => {
    live.endWhere((grant) => parseStreamKey(grant.streamKey)?.deviceSerial === deviceSerial, ERROR_CODES.devNotExist);
  },
  keepsWarm: environment.keepsWarm,
});
const candidates = new Candidates({ clock, world, signInGate });
const backfill = new Backfill({ fleet, storage, world, clock, disk, log });
const exports = createExports({ disk, clock, storage, masterKey, log });
const authority = new MediaAuthority({ tickets, fleet, candidates });
const live = createLiveEndpoint({
  hub,
  clock,
  authorise: authority.live,
  allowsOrigin: ({ headers }) => !isForeignOrigin(headers),
  onFailure: (error) => log.error({ err: error }, 'a live connection failed'),
});
const codec = new CodecWorker({ start: environment.ffmpeg, clock, decoders: STILL_DECODERS });
const stills = new Stills({
  codec,
  hub,
  disk,
  store: () => storage.recordings.store,
  clock,
  onDeviceFailure: (error) => log.info({ err: error }, 'the device gave no snapshot'),
});
const playback = createPlaybackEndpoint({
  disk,
  store: () => storage.recordings.store,
  hub,
  monotonicMs: () => clock.monotonicMs(),
  authorise: authority.playback,
  stills,
  onFailure: (error) => log.error({ err: error }, 'a playback request failed'),
});
const giveExport = createExportEndpoint({
  disk,
  authorise: exportAuthority(tickets, exports),
  onFailure: (error) => log.error({ err: error }, 'the download of an export failed'),
});
const front = new HttpFront({
  socketPath: environment.socketPath,
  onRequest: (request, response) => giveExport(request, response) || playback.handle(request, response),
  onUpgrade: (request, socket, head) => live.handleUpgrade(request, socket, head),
});
const link = new ServerLink({
  serverSocketPath: environment.serverSocketPath,
  masterKey,
  siteId: SITE_ID,
  clock,
  spool,
  log,
  answer: createSiteCalls({
    clock,
    cache,
    fleet,
    storage,
    tickets,
    candidates,
    backfill,
    exports,
    health: () => siteHealth({ hub, fleet, storage, clock }),
    endLive: (ticketIds, code) => live.endWhere((grant) => ticketIds.has(grant.sessionId), code),
    onFault: (name, error) => log.error({ call: name, err: error }, 'a call of the server failed'),
  }),
});

endWithProcess(clock, log, async () => {
  link.close();
  live.close();
  playback.close();
  codec.close();
  tickets.close();
  await exports.close();
  await backfill.close();
  await fleet.close();
  await candidates.close();
  await hub.close();
  await storage.close();
  await spool.close();
  await front.close();
});

await storage.start();
storage.setRetention(cache.devices);
await fleet.replaceAll(cache.devices);
backfill.plan(cache.devices);
await exports.start();
await front.listen();
link.start();
tickets.start();
process.stdout.write(`${JSON.stringify({ event: 'ready' })}\n`);
