// Decides what is removed: recordings past the age limit of their channel, those that are empty, then those over its quota, then the oldest of all while budget or reserve is exceeded. Locked recordings stay.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { TrackNote } from './gaps/track-notes.ts';
import type { TrackKey } from './recording-path.ts';
import type { RecordedFile } from './recorded-track.ts';

/** Freed below the limit, so that not every minute starts with a removal. */
const SLACK_BYTES = 32 * 1024 * 1024;

export interface RetentionLimits {
  readonly budgetBytes: number;
  readonly reserveBytes: number;
}

/** Limits of each channel. */
export interface RetentionRules {
  /** Days that a channel's recordings are kept; null: by space alone. */
  readonly retentionDays: (channelId: string) => number | null;
  /** Most that a channel's recordings may take, bytes; null: no limit of its own. */
  readonly quotaBytes: (channelId: string) => number | null;
  /** True when any instant of the range must be kept. */
  readonly isLocked: (channelId: string, startMs: number, endMs: number) => boolean;
  /** True for recordings in which nothing is worth keeping until their age limit. Absent: there are none. */
  readonly isEmpty?: (channelId: string, startMs: number, endMs: number) => boolean;
  /** Copies in object stores; absent: there are none. */
  readonly copies?: CopyRules;
}

/** `awaited`: it is to be copied first; `verified`: the store has it too; `remote`: only the index is on the disk. */
export type CopyPlace = 'none' | 'awaited' | 'verified' | 'remote';

export interface CopyRules {
  readonly placeOf: (key: TrackKey, file: RecordedFile) => CopyPlace;
  /** When a verified copy is to be removed as well, ms. */
  readonly untilOf: (key: TrackKey, file: RecordedFile) => number;
  /** Removes the media from the disk and keeps it in the list. */
  readonly release: (key: TrackKey, startMs: number) => Promise<void>;
}

export type Removable = { readonly key: TrackKey; readonly file: RecordedFile };

export interface RetentionStore {
  readonly usedBytes: number;
  /** Oldest finished file of each track that `isKept` allows to remove. */
  oldestOfEach(isKept: IsKept): readonly Removable[];
  /** All finished files that `isKept` allows to remove, oldest first; a track is looked at when it is taken. */
  finishedByTrack(isKept: IsKept): Iterable<readonly Removable[]>;
  channelUsage(): ReadonlyMap<string, number>;
  /** Whether the channel has no older finished file elsewhere that `isKept` allows to remove; absent: there is no elsewhere. */
  isOldestOfChannel?(candidate: Removable, isKept: IsKept): boolean;
  hasFinished(): boolean;
  remove(key: TrackKey, startMs: number): Promise<void>;
  note(key: TrackKey, note: TrackNote): boolean;
}

export interface SweepRequest {
  readonly store: RetentionStore;
  readonly limits: RetentionLimits;
  readonly rules: RetentionRules;
  readonly now: number;
  readonly freeBytes: () => Promise<number>;
  /** Asks `isEmpty` of every recording, which is too much for every few seconds. */
  readonly examinesAll?: boolean;
  /** The disk rejected a write: something must be removed whatever the figures say. */
  readonly isRefused: boolean;
}

/**
 * Limits are exceeded and nothing more may be removed: `locked` only locked recordings are left, `budget` smaller than
 * the files being written, `othersFull` others use the space.
 */
export type Blockage = 'locked' | 'budget' | 'othersFull';

export interface SweepReport {
  readonly filesRemoved: number;
  readonly bytesRemoved: number;
  readonly blockage: Blockage | null;
  /** The disk has room for current recordings, whatever the budget says. */
  readonly hasRoom: boolean;
}

export async function sweep(request: SweepRequest): Promise<SweepReport> {
  const { store, rules } = request;
  const removed = { filesRemoved: 0, bytesRemoved: 0 };
  const places = placesOf(request);
  const remove = async ({ key, file }: Removable): Promise<void> => {
    removed.filesRemoved += 1;
    removed.bytesRemoved += file.mediaBytes + file.indexBytes;
    if (places.staysInStore(key, file)) await rules.copies?.release(key, file.startMs);
    else await store.remove(key, file.startMs);
  };
  const isOld = overAge(request);
  // The oldest of a track is often only in a store: then the oldest that takes room counts too.
  for (const isKept of rules.copies ? [places.isLocked, places.isHeld] : [places.isLocked]) {
    for (let found = oldest(store, isKept, isOld); found; found = oldest(store, isKept, isOld)) await remove(found);
  }
  if (request.examinesAll === true) await removeEmpty(request, places.isHeld, remove);
  const isOverQuota = overQuota(request, places.isHeld);
  for (
    let found = oldest(store, places.isHeld, isOverQuota);
    found;
    found = oldest(store, places.isHeld, isOverQuota)
  ) {
    await remove(found);
  }
  let isOver = request.isRefused || (await brokenLimit(request, 0)) !== null;
  while (isOver) {
    // What was not copied yet is removed last.
    const found = oldest(store, places.isHeld, () => true) ?? oldest(store, places.isFixed, () => true);
    if (!found) return { ...removed, ...(await blockage(request)) };
    await remove(found);
    isOver = (await brokenLimit(request, SLACK_BYTES)) !== null;
  }
  return { ...removed, blockage: null, hasRoom: true };
}

/** Between others that stay: the gap has its reason, so that nobody fills it from the device again. Recorders go on between two tracks. */
async function removeEmpty(
  { store, rules: { isEmpty } }: SweepRequest,
  isHeld: IsKept,
  remove: (removable: Removable) => Promise<void>,
): Promise<void> {
  if (isEmpty === undefined) return;
  const isKept: IsKept = (key, file) => isHeld(key, file) || !isEmpty(key.channelId, file.startMs, file.endMs);
  for (const track of store.finishedByTrack(isKept)) {
    for (const found of track) {
      // It may have been locked while others were removed.
      if (isKept(found.key, found.file)) continue;
      const { startMs, endMs } = found.file;
      await remove(found);
      store.note(found.key, { kind: 'empty', startMs, endMs });
    }
    await nextTurn();
  }
}

export type IsKept = (key: TrackKey, file: RecordedFile) => boolean;

/** What may make room: nothing locked, nothing that takes no room, and nothing that is not copied yet. */
function placesOf({ rules: { isLocked, copies }, now }: SweepRequest) {
  const locked: IsKept = ({ channelId }, { startMs, endMs }) => isLocked(channelId, startMs, endMs);
  const placeOf = (key: TrackKey, file: RecordedFile): CopyPlace => copies?.placeOf(key, file) ?? 'none';
  const isFixed: IsKept = (key, file) => locked(key, file) || placeOf(key, file) === 'remote';
  const isHeld: IsKept = (key, file) => isFixed(key, file) || placeOf(key, file) === 'awaited';
  const staysInStore: IsKept = (key, file) =>
    copies !== undefined && placeOf(key, file) === 'verified' && copies.untilOf(key, file) > now;
  return { isLocked: locked, isFixed, isHeld, staysInStore };
}

function oldest(store: RetentionStore, isKept: IsKept, isChosen: (candidate: Removable) => boolean): Removable | null {
  let found: Removable | null = null;
  for (const candidate of store.oldestOfEach(isKept)) {
    if (!isChosen(candidate)) continue;
    if (!found || candidate.file.startMs < found.file.startMs) found = candidate;
  }
  return found;
}

function overAge({ rules: { retentionDays, copies }, now }: SweepRequest): (candidate: Removable) => boolean {
  return ({ key, file }) => {
    const place = copies?.placeOf(key, file) ?? 'none';
    if (place === 'awaited') return false;
    if (copies && place === 'remote') return copies.untilOf(key, file) <= now;
    const days = retentionDays(key.channelId);
    return days !== null && file.endMs < now - days * DAY_MS;
  };
}

/** Of several disks, each removes what is the oldest of the channel; the next look of the others goes on. */
function overQuota({ store, rules }: SweepRequest, isHeld: IsKept): (candidate: Removable) => boolean {
  return (candidate) => {
    const { channelId } = candidate.key;
    const quota = rules.quotaBytes(channelId);
    if (quota === null || (store.channelUsage().get(channelId) ?? 0) <= quota) return false;
    return store.isOldestOfChannel?.(candidate, isHeld) ?? true;
  };
}

async function blockage(request: SweepRequest): Promise<Pick<SweepReport, 'blockage' | 'hasRoom'>> {
  const broken = await brokenLimit(request, 0);
  const isLocked = request.store.hasFinished();
  if (broken === null) {
    if (!request.isRefused) return { blockage: null, hasRoom: true };
    return { blockage: isLocked ? 'locked' : 'othersFull', hasRoom: false };
  }
  if (broken === 'reserve') return { blockage: isLocked ? 'locked' : 'othersFull', hasRoom: false };
  return { blockage: isLocked ? 'locked' : 'budget', hasRoom: isLocked };
}

async function brokenLimit(
  { store, limits, freeBytes }: SweepRequest,
  slack: number,
): Promise<'budget' | 'reserve' | null> {
  if ((await freeBytes()) < limits.reserveBytes + slack) return 'reserve';
  // A budget below the slack must still hold something.
  const budgetSlack = Math.min(slack, limits.budgetBytes / 16);
  return store.usedBytes > limits.budgetBytes - budgetSlack ? 'budget' : null;
}
