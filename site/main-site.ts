// Entry and composition root of the site process, which goes on recording without its server.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { StreamHub } from '@vedette/media/stream/hub.ts';
import { SlabPool } from '@vedette/protocols/rtp/slab-pool.ts';
import { destination, pino } from 'pino';
import { createDriverParts } from './driver-parts.ts';
import { readEnvironment } from './environment.ts';
import { Fleet } from './fleet.ts';
import { HttpFront } from './http-front.ts';
import { processIdentity } from './process-identity.ts';
import { endWithProcess, goFirst } from './process-life.ts';
import { createMediaDoors } from './media-doors.ts';
import { ServerLink } from './server-link.ts';
import { createSiteCalls } from './site-calls.ts';
import { siteHealth } from './site-health.ts';
import { openSide } from './site-side.ts';
import { openSiteState } from './site-state-files.ts';
import { SiteStorage } from './site-storage.ts';
import { createSiteWork } from './site-work.ts';
import { TicketRegistry } from './ticket-registry.ts';

/** Viewers linger so that switching pages and layouts finds their streams still connected. */
const LINGER_MS = 30_000;

const environment = readEnvironment(process.env);
const log = pino({ name: 'site', level: environment.logLevel }, destination({ dest: 2, sync: true }));
const clock = systemClock;
const disk = createDisk({ syncsAtOnce: Math.max(2, Math.floor(environment.threads / 2)) });
goFirst(log);
const { masterKey, stateFolder } = environment;
await disk.makeFolder(stateFolder);

const { cache, spool, ofDevices, motion } = await openSiteState({ disk, clock, folder: stateFolder, masterKey, log });

const hub = new StreamHub({
  clock,
  lingerMs: LINGER_MS,
  slabs: new SlabPool({ poison: environment.poisonsMemory }),
  onConsumerFailure: (key, error) => log.error({ key, err: error }, 'a consumer of a stream failed'),
});
const base = { hub, clock, disk, log };
const tickets = new TicketRegistry(clock);
const storage = new SiteStorage({
  disk,
  clock,
  cache,
  writer: await processIdentity(),
  defaultFolder: environment.defaultRecordings,
  log,
});
const driverParts = createDriverParts({ clock, log, cache, environment });
const { ownPorts, world, drivers, signInGate, candidates, loopDelay } = driverParts;
drivers.start();
const fleet = new Fleet({
  ...base,
  storage,
  world,
  drivers,
  signInGate,
  report: (event) => spool.add(event),
  ...ofDevices,
  onGone: (deviceSerial) => {
    side.deviceGone(deviceSerial);
    media.deviceGone(deviceSerial);
  },
  keepsWarm: environment.keepsWarm,
});
const side = await openSide({
  environment,
  ...base,
  fleet,
  candidates,
  onViewer: (stream) => front.take(stream),
  onCutOff: () => {
    const held = tickets.ids();
    media.endLive(new Set(held), ERROR_CODES.serviceBusy);
    tickets.revoke(held, ERROR_CODES.serviceBusy);
  },
  onAccepted: () => fleet.tellAll(),
});
const work = await createSiteWork({ ...base, environment, fleet, storage, world, drivers, tickets, spool, motion });
const media = createMediaDoors({
  ...base,
  storage,
  tickets,
  fleet,
  candidates,
  world,
  ...work,
  ffmpeg: environment.ffmpeg,
  transcodes: environment.transcodes,
  rtsp: environment.rtsp,
  farUpstream: side.farUpstream,
  onDirect: (isConnected) => link.tell({ type: 'direct', at: clock.wallMs(), isConnected }),
});
const front = new HttpFront({
  socketPath: environment.socketPath,
  onRequest: (request, response) => side.pass(request, response) || media.onRequest(request, response),
  onUpgrade: { ...media.onUpgrade, ...side.onUpgrade },
  passUpgrade: side.passUpgrade,
});
const link = new ServerLink({
  way: side.way,
  rtspPort: () => media.rtsp.port,
  canTranscode: environment.ffmpeg !== null,
  clock,
  spool,
  log,
  onLost: () => {
    side.lost();
    void work.desk.stopAll();
  },
  answer: createSiteCalls({
    clock,
    cache,
    fleet,
    ...work,
    storage,
    tickets,
    candidates,
    side,
    health: () => siteHealth({ ...base, fleet, storage, spool, rtsp: media.rtsp, ...work, drivers, loopDelay }),
    ...media,
    log,
    onFault: (name, error) => log.error({ call: name, err: error }, 'a call of the server failed'),
  }),
});

endWithProcess(clock, log, async () => {
  link.close();
  await work.rest();
  // Readers end before what they read.
  const devices = [side, media, tickets, work, fleet, candidates, drivers, loopDelay];
  const parts = [...devices, hub, storage, spool, ofDevices, front];
  for (const part of parts) await part.close();
});

await storage.start();
storage.setRetention(cache.devices);
await fleet.replaceAll(cache.devices);
work.backfill.plan(cache.devices);
await work.exports.start();
await front.listen();
await media.rtsp.open();
if (media.rtsp.port !== null) ownPorts.add(media.rtsp.port);
link.start();
work.watch.start();
loopDelay.start();
tickets.start();
process.stdout.write(`${JSON.stringify({ event: 'ready', rtspPort: media.rtsp.port })}\n`);
