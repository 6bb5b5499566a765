// Entry and composition root of the site process, which goes on recording without its server.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { DiskGuard } from '@vedette/media/recordings/disks/disk-guard.ts';
import { StreamHub } from '@vedette/media/stream/hub.ts';
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { destination, pino } from 'pino';
import { operatorPolicy } from './core/operator-policy.ts';
import { createDriverRuntime } from './driver-runtime.ts';
import { readEnvironment } from './process/environment.ts';
import { Fleet } from './supervision/fleet.ts';
import { HttpServer } from './process/http-server.ts';
import { ProcessFacts } from './process/process-facts.ts';
import { closeOnTermination, raiseProcessPriority } from './process/process-lifecycle.ts';
import { createMediaEndpoints } from './media/media-endpoints.ts';
import { ServerConnection } from './connection/server-connection.ts';
import { createSiteCalls } from './site-calls.ts';
import { siteHealth } from './site-health.ts';
import { openSiteRole } from './site-role.ts';
import { openSiteState } from './site-state-files.ts';
import { openSiteRecordings } from './site-recordings.ts';
import { createSiteTasks } from './site-tasks.ts';
import { TicketRegistry } from './tickets/ticket-registry.ts';

/** Streams linger after their last viewer, so that switching pages and layouts finds them connected. */
const LINGER_MS = 30_000;

const environment = readEnvironment(process.env);
const log = pino({ name: 'site', level: environment.logLevel }, destination({ dest: 2, sync: true }));
const clock = systemClock;
const diskGuard = new DiskGuard({ clock, threads: environment.threads });
raiseProcessPriority(log);
const { masterKey, stateFolder } = environment;
await diskGuard.disk.makeFolder(stateFolder);

const { cache, spool, ofDevices, motion, seenLog } = await openSiteState({
  disk: diskGuard.disk,
  clock,
  folder: stateFolder,
  masterKey,
  log,
});

const hub = new StreamHub({
  clock,
  lingerMs: LINGER_MS,
  slabs: new SlabPool({ poison: environment.poisonsMemory }),
  onConsumerFailure: (key, error) => log.error({ key, err: error }, 'a consumer of a stream failed'),
  onClosing: (stream) => work.traffic.look(stream),
});
const driverParts = createDriverRuntime({ clock, log, cache, environment });
const { ownPorts, driverContexts, drivers, signInLimiter, candidates, loopDelay } = driverParts;
drivers.start();
const recordings = await openSiteRecordings({ diskGuard, clock, cache, seenLog, environment, ownPorts, spool, log });
const { disk, storage, cloudStorage } = recordings;
const base = { hub, clock, disk, log };
const tickets = new TicketRegistry(clock);
const fleet = new Fleet({
  ...base,
  storage,
  driverContexts,
  drivers,
  signInLimiter,
  report: (event) => spool.add(event),
  ...ofDevices,
  onGone: (deviceSerial) => {
    role.deviceGone(deviceSerial);
    media.deviceGone(deviceSerial);
    work.deviceGone(deviceSerial);
  },
  keepsWarm: environment.keepsWarm,
});
const role = await openSiteRole({
  environment,
  ...base,
  fleet,
  candidates,
  tracksOf: (channel) => work.analysis.followers.of(cache.channelId(channel)),
  onViewer: (stream) => httpServer.take(stream),
  onCutOff: () => {
    const held = tickets.ids();
    media.endLive(new Set(held), ERROR_CODES.serviceBusy);
    tickets.revoke(held, ERROR_CODES.serviceBusy);
  },
  onAccepted: () => fleet.publishAll(),
});
const ofFleet = { ...base, fleet, storage, driverContexts, tickets, cache };
const work = await createSiteTasks({ ...ofFleet, environment, drivers, spool, motion, seenLog });
const media = createMediaEndpoints({
  ...environment,
  ...ofFleet,
  candidates,
  ...work,
  remoteUpstream: role.remoteUpstream,
  remoteTracks: role.remoteTracks,
  operatorPolicy: () => operatorPolicy(cache.settings?.cameraNetworks ?? [], ownPorts),
  onDirect: (isConnected) => link.tell({ type: 'direct', at: clock.wallMs(), isConnected }),
});
const processFacts = new ProcessFacts({ clock, version: environment.version, ffmpeg: environment.ffmpeg });
const httpServer = new HttpServer({
  socketPath: environment.socketPath,
  onRequest: (request, response) => role.relay(request, response) || media.onRequest(request, response),
  onUpgrade: { ...media.onUpgrade, ...role.onUpgrade },
  relayUpgrade: role.relayUpgrade,
});
const link = new ServerConnection({
  transport: role.transport,
  rtspPort: () => media.rtsp.port,
  canTranscode: environment.ffmpeg !== null,
  clock,
  spool,
  log,
  onLost: () => {
    role.lost();
    void work.ptzLeases.stopAll();
  },
  answer: createSiteCalls({
    clock,
    cache,
    fleet,
    ...work,
    storage,
    cloudStorage,
    tickets,
    candidates,
    role,
    formatOf: (key) => hub.stream(key)?.currentFormat ?? null,
    health: () =>
      siteHealth({ ...base, fleet, storage, spool, rtsp: media.rtsp, ...work, drivers, loopDelay, processFacts }),
    ...media,
    log,
    onFault: (name, error) => log.error({ call: name, err: error }, 'a call of the server failed'),
  }),
});

closeOnTermination(clock, log, async () => {
  link.close();
  await work.rest();
  // Readers are closed before what they read.
  const devices = [role, media, tickets, work, fleet, candidates, drivers, loopDelay];
  const parts = [...devices, hub, work.traffic, cloudStorage, storage, spool, ofDevices, httpServer];
  for (const part of parts) await part.close();
});

await recordings.start();
await fleet.replaceAll(cache.running);
work.follow(cache.running);
await work.exports.start();
await httpServer.listen();
await media.gatewayFeed.open();
await media.rtsp.open();
if (media.rtsp.port !== null) ownPorts.add(media.rtsp.port);
link.start();
work.start();
loopDelay.start();
tickets.start();
process.stdout.write(`${JSON.stringify({ event: 'ready', rtspPort: media.rtsp.port })}\n`);
