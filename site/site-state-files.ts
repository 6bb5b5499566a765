// Opens what the site keeps across restarts: assignment, unacknowledged events, event states, pinned trust.
import { join } from 'node:path';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Disk } from '@vedette/media/recordings/disk.ts';
import type { Logger } from 'pino';
import { AssignmentCache } from './state/assignment-cache.ts';
import { EventSpool } from './state/event-spool.ts';
import { EventStatesFile } from './state/event-states-file.ts';
import { PinnedTrust } from './state/pinned-trust.ts';
import { MotionSettings } from './motion/motion-settings.ts';
import { SeenLog } from './state/seen-log.ts';
import { SealedFile } from './state/sealed-file.ts';

export interface SiteStateOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly folder: string;
  readonly masterKey: Buffer;
  readonly log: Logger;
}

export interface SiteState {
  readonly cache: AssignmentCache;
  readonly spool: EventSpool;
  readonly ofDevices: {
    readonly eventStates: EventStatesFile;
    readonly pinnedTrust: PinnedTrust;
    close(): Promise<void>;
  };
  readonly motion: MotionSettings;
  readonly seenLog: SeenLog;
}

export async function openSiteState({ disk, clock, folder, masterKey, log }: SiteStateOptions): Promise<SiteState> {
  const cache = new AssignmentCache({
    file: new SealedFile({ disk, path: join(folder, 'assignments.sealed'), masterKey, purpose: 'assignments' }),
    onFault: (error) => log.warn({ err: error }, 'the kept assignment could not be read or written'),
  });
  const spool = new EventSpool({
    disk,
    path: join(folder, 'events.jsonl'),
    onFault: (error) => log.warn({ err: error }, 'events could not be kept on the disk'),
  });
  const eventStates = new EventStatesFile({
    disk,
    clock,
    path: join(folder, 'event-states.json'),
    onFault: (error) => log.warn({ err: error }, 'the states of events could not be kept on the disk'),
  });
  const pinnedTrust = new PinnedTrust({
    file: new SealedFile({ disk, path: join(folder, 'trust.sealed'), masterKey, purpose: 'trust' }),
    onFault: (error) => log.warn({ err: error }, 'what devices showed of themselves could not be kept on the disk'),
  });
  const motion = new MotionSettings({
    disk,
    path: join(folder, 'motion.json'),
    onFault: (error) => log.warn({ err: error }, 'the kept settings of motion could not be read'),
  });
  const seenLog = new SeenLog({
    disk,
    clock,
    folder: join(folder, 'seen'),
    onFault: (error) => log.warn({ err: error }, 'what was seen in which minutes could not be read or kept'),
  });
  await Promise.all([
    seenLog.load(),
    cache.load(),
    spool.load(),
    eventStates.load(),
    pinnedTrust.load(),
    motion.load(),
  ]);
  const close = async (): Promise<void> => {
    await eventStates.close();
    await pinnedTrust.close();
    await seenLog.close();
  };
  return { cache, spool, ofDevices: { eventStates, pinnedTrust, close }, motion, seenLog };
}
