// Composes the site's recordings: their folder on the disk, and the object stores behind it.
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { DiskEmptier } from '@vedette/media/recordings/disks/disk-emptier.ts';
import type { DiskGuard } from '@vedette/media/recordings/disks/disk-guard.ts';
import type { Logger } from 'pino';
import { CloudStorage } from './cloud-storage/cloud-storage.ts';
import type { Environment } from './process/environment.ts';
import { processIdentity } from './process/process-identity.ts';
import { SiteStorage } from './recording/site-storage.ts';
import { DiskLedger } from './recording/disk-ledger.ts';
import type { AssignmentCache } from './state/assignment-cache.ts';
import type { EventSpool } from './state/event-spool.ts';
import type { SeenLog } from './state/seen-log.ts';

export interface SiteRecordingsOptions {
  readonly diskGuard: DiskGuard;
  readonly clock: Clock;
  readonly cache: AssignmentCache;
  readonly seenLog: SeenLog;
  readonly environment: Environment;
  readonly ownPorts: ReadonlySet<number>;
  readonly spool: EventSpool;
  readonly log: Logger;
}

export async function openSiteRecordings(options: SiteRecordingsOptions) {
  const { diskGuard, clock, cache, seenLog: seen, environment, ownPorts, spool, log } = options;
  const localDisk = diskGuard.disk;
  const cloudStorage = new CloudStorage({
    disk: localDisk,
    clock,
    folder: environment.stateFolder,
    ownPorts: () => ownPorts,
    settings: () => cache.settings,
    report: (event) => spool.add(event),
    log,
  });
  const emptier: DiskEmptier = new DiskEmptier({
    disk: localDisk,
    clock,
    recordings: () => storage.recordings,
    claims: cloudStorage.claims,
    copies: cloudStorage.moves,
    log,
  });
  const storage: SiteStorage = new SiteStorage({
    disk: cloudStorage.disk,
    clock,
    cache,
    seen,
    ledger: new DiskLedger({
      disk: localDisk,
      clock,
      folder: environment.stateFolder,
      onFault: (error) => log.warn({ err: error }, 'what the recording disks hold could not be written down'),
    }),
    emptier,
    copiesOf: (store) => cloudStorage.rulesOf(store),
    writer: await processIdentity(),
    guard: diskGuard,
    defaultFolder: environment.defaultRecordings,
    log,
  });
  return {
    /** Also of what is only in an object store. */
    disk: cloudStorage.disk,
    cloudStorage,
    storage,
    start: async (): Promise<void> => {
      cloudStorage.assign(cache.devices);
      await cloudStorage.start(() => storage.recordings.store);
      await storage.start();
      storage.setRetention(cache.devices);
    },
  };
}
