// Entry of the drivers' loop: device traffic is parsed on a thread of its own, so that none of it delays a recording.
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { drivers } from '@vedette/drivers/registry.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { destination, pino } from 'pino';
import { DriverLoop } from './driver-loop.ts';
import { LoopMeter } from './loop-meter.ts';
import type { LoopData } from './loop-thread.ts';
import { type FromLoop, type LoopSettings, SLOT, type ToLoop } from './wire.ts';
import { DriverContexts } from './driver-contexts.ts';

const BEAT_MS = 200;
const TICK_MS = 1000;
/** Lower priority, like every other process: the recorder's loop goes first. */
const PRIORITY = 0;

const port = parentPort;
if (port === null) throw new Error('the drivers’ loop is a thread of the site');
const { slots, logLevel } = workerData as LoopData;
const log = pino({ name: 'drivers', level: logLevel }, destination({ dest: 2, sync: true }));
const clock = systemClock;
const post = (message: FromLoop, transfer: readonly unknown[] = []): void =>
  port.postMessage(message, transfer as never);

try {
  // On Linux this is the thread's own priority.
  setPriority(PRIORITY);
} catch (error) {
  log.debug({ err: error }, 'no priority of its own for the drivers');
}

let settings: LoopSettings = { cameraNetworks: [], ownPorts: [] };
const meter = new LoopMeter({
  slots,
  cpuMs: () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  },
  onOver: (context, over) => post({ kind: 'over', context, over }),
});
const loop = new DriverLoop({
  post,
  meter,
  modules: drivers,
  driverContexts: (context) =>
    new DriverContexts({
      clock,
      log,
      ownPorts: () => new Set(settings.ownPorts),
      cameraNetworks: () => settings.cameraNetworks,
      onSocket: (socket) => meter.watch(context, socket),
    }),
  onSettings: (now) => {
    settings = now;
  },
});

setInterval(() => Atomics.add(slots, SLOT.beat, 1), BEAT_MS);
setInterval(() => meter.tick(), TICK_MS);
process.on('unhandledRejection', (error) => log.warn({ err: error }, 'unhandled rejection'));
port.on('message', (message: ToLoop) => loop.take(message));
post({ kind: 'ready' });
