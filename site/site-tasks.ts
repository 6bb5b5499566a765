// Composes the site's tasks beside streaming and recording: PTZ, presets, motion detection, scans, firmware, exports, edge recordings.
import { join } from 'node:path';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { Logger } from 'pino';
import { Analysis } from './analysis/analysis.ts';
import { TaskReplays } from './analysis/replay/task-replays.ts';
import { Backfill } from './backfill/backfill.ts';
import { EdgeRecordings } from './edge-playback/edge-recordings.ts';
import type { DriverHost } from './driver-host/driver-host.ts';
import type { DriverContexts } from './driver-host/driver-contexts.ts';
import type { Environment } from './process/environment.ts';
import { createExports } from './media/export-calls.ts';
import { FirmwareUpgrades } from './firmware/firmware-upgrades.ts';
import type { AssignmentCache } from './state/assignment-cache.ts';
import type { EventSpool } from './state/event-spool.ts';
import type { Fleet } from './supervision/fleet.ts';
import type { MotionSettings } from './motion/motion-settings.ts';
import { openMotionMonitor } from './motion/motion-monitor.ts';
import { Patrols } from './ptz/patrols.ts';
import { PresetSnapshots } from './ptz/preset-snapshots.ts';
import { PtzLeases } from './ptz/ptz-leases.ts';
import { Scans } from './onboarding/scans.ts';
import type { SeenLog } from './state/seen-log.ts';
import type { SiteStorage } from './recording/site-storage.ts';
import type { TicketRegistry } from './tickets/ticket-registry.ts';
import { TrafficMeter } from './traffic/traffic-meter.ts';

export interface SiteTasksOptions {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  readonly disk: Disk;
  readonly fleet: Fleet;
  readonly storage: SiteStorage;
  readonly driverContexts: DriverContexts;
  readonly drivers: DriverHost;
  readonly tickets: TicketRegistry;
  readonly hub: StreamHub;
  readonly spool: EventSpool;
  readonly motion: MotionSettings;
  readonly seenLog: SeenLog;
  readonly cache: Pick<AssignmentCache, 'device'>;
}

export async function createSiteTasks({ environment, clock, log, disk, ...rest }: SiteTasksOptions) {
  const { fleet, storage, driverContexts, drivers, tickets, hub, spool, motion, cache, seenLog } = rest;
  const { masterKey, stateFolder } = environment;
  const upgrades = new FirmwareUpgrades({ clock, log, fleet, folder: join(stateFolder, 'firmware') });
  await upgrades.clear();
  const scans = new Scans({ clock, driverContexts, drivers, log, places: environment.discovery });
  const backfill = new Backfill({ fleet, storage, driverContexts, clock, disk, log });
  const edgeRecordings = new EdgeRecordings({ fleet, storage, driverContexts, clock, disk, log, folder: stateFolder });
  const exports = createExports({ disk, clock, storage, masterKey, log, ffmpeg: environment.ffmpeg });
  const ptzLeases = new PtzLeases({ clock, log });
  const patrols = new Patrols({ clock, log });
  const presetSnapshots = new PresetSnapshots({ disk, clock, tickets, log, folder: join(stateFolder, 'presets') });
  const motionMonitor = openMotionMonitor({ hub, clock, fleet, spool, settings: motion, ffmpeg: environment.ffmpeg });
  const traffic = new TrafficMeter({ clock, hub, spool, isOwn: (serial) => cache.device(serial) !== null });
  traffic.start();
  const { ffmpeg, analystRuntime: runtimeFolder, modelFolder } = environment;
  const analysis = new Analysis({ hub, clock, fleet, spool, seenLog, log, ffmpeg, runtimeFolder, modelFolder });
  const taskReplays = new TaskReplays({ clock, log, disk, fleet, storage, tickets, analysis, ffmpeg, runtimeFolder });
  return {
    /** Closed by its owner, after the last stream. */
    traffic,
    motionMonitor,
    analysis,
    taskReplays,
    /** Null without software motion detection. */
    motion: motionMonitor.settings,
    upgrades,
    scans,
    backfill,
    edgeRecordings,
    exports,
    ptzLeases,
    patrols,
    presetSnapshots,
    /** The devices that are assigned. */
    follow: (devices: readonly DeviceAssignment[]): void => {
      backfill.plan(devices);
      analysis.assign(devices);
    },
    start: (): void => {
      motionMonitor.start();
      analysis.start();
    },
    deviceGone: (deviceSerial: string): void => {
      upgrades.deviceGone(deviceSerial).catch((error: unknown) => {
        log.warn({ deviceSerial, err: error }, 'the file of an ended upgrade could not be removed');
      });
    },
    /** Cameras stop before anything else ends. */
    rest: async (): Promise<void> => {
      patrols.close();
      await ptzLeases.stopAll();
    },
    close: async (): Promise<void> => {
      motionMonitor.close();
      taskReplays.close();
      analysis.close();
      for (const part of [exports, edgeRecordings, backfill, upgrades, scans]) await part.close();
    },
  };
}
