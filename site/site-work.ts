// Composes the site's tasks beside streaming and recording: PTZ, presets, motion detection, scans, firmware, exports, edge recordings.
import { join } from 'node:path';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { StreamHub } from '@vedette/media/stream/hub.ts';
import type { Logger } from 'pino';
import { Backfill } from './backfill.ts';
import { DeviceFootage } from './device-footage/device-footage.ts';
import type { DriverHost } from './driver-host/driver-host.ts';
import type { DriverWorld } from './driver-world.ts';
import type { Environment } from './environment.ts';
import { createExports } from './export-calls.ts';
import { Upgrades } from './firmware/upgrades.ts';
import type { EventSpool } from './event-spool.ts';
import type { Fleet } from './fleet.ts';
import type { MotionSettings } from './motion/motion-settings.ts';
import { openPictureWatch } from './motion/picture-watch.ts';
import { Patrols } from './ptz/patrols.ts';
import { PresetPictures } from './ptz/preset-pictures.ts';
import { PtzDesk } from './ptz/ptz-desk.ts';
import { Scans } from './scans.ts';
import type { SiteStorage } from './site-storage.ts';
import type { TicketRegistry } from './ticket-registry.ts';

export interface SiteWorkOptions {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly log: Logger;
  readonly disk: Disk;
  readonly fleet: Fleet;
  readonly storage: SiteStorage;
  readonly world: DriverWorld;
  readonly drivers: DriverHost;
  readonly tickets: TicketRegistry;
  readonly hub: StreamHub;
  readonly spool: EventSpool;
  readonly motion: MotionSettings;
}

export async function createSiteWork({ environment, clock, log, disk, ...rest }: SiteWorkOptions) {
  const { fleet, storage, world, drivers, tickets, hub, spool, motion } = rest;
  const { masterKey, stateFolder } = environment;
  const upgrades = new Upgrades({ clock, log, fleet, folder: join(stateFolder, 'firmware') });
  await upgrades.clear();
  const scans = new Scans({ clock, world, drivers, log, place: environment.discovery });
  const backfill = new Backfill({ fleet, storage, world, clock, disk, log });
  const deviceFootage = new DeviceFootage({ fleet, storage, world, clock, disk, log, folder: stateFolder });
  const exports = createExports({ disk, clock, storage, masterKey, log });
  const desk = new PtzDesk({ clock, log });
  const patrols = new Patrols({ clock, log });
  const pictures = new PresetPictures({ disk, clock, tickets, log, folder: join(stateFolder, 'presets') });
  const watch = openPictureWatch({ hub, clock, fleet, spool, settings: motion, ffmpeg: environment.ffmpeg });
  return {
    watch,
    /** Null where this site can look for no motion. */
    motion: watch.settings,
    upgrades,
    scans,
    backfill,
    deviceFootage,
    exports,
    desk,
    patrols,
    pictures,
    /** Heads stand still before anything else ends. */
    rest: async (): Promise<void> => {
      patrols.close();
      await desk.stopAll();
    },
    close: async (): Promise<void> => {
      watch.close();
      for (const part of [exports, deviceFootage, backfill, upgrades, scans]) await part.close();
    },
  };
}
