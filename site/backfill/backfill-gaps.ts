// Finds the gaps of a track to backfill from the device, without those that were tried a while ago.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { RecordedSpan as DeviceSpan } from '@vedette/drivers/kit/driver.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';

export interface Tried extends TimeRange {
  /** Monotonic: until then it is left alone. */
  readonly untilMs: number;
}

export interface BackfillGap extends TimeRange {
  /** Shorter holes of it are not asked for. */
  readonly worthMs: number;
}

/** Shorter holes are the seams of our own files and of the device's. */
const WORTH_MS = 5000;
/** The rest of a filling that was ended on its way: whatever the timeline shows as a gap. */
const REST_WORTH_MS = 2000;
/** The newest recording is on its way to the disk, here and in the device. */
const SETTLED_MS = 10_000;
/** An outage that goes on is filled up to here: its rest must be worth a replay of its own when it is over. */
const ONGOING_MS = 600_000;
/** An outage is filled at most so far back: what is older was not filled by the days that followed it. */
const BACK_DAYS = 7;

/** Oldest first; what was not to be recorded, what came of a clock that was set, and what was spoilt on the disk is no outage. */
export function findBackfillGaps(
  store: Pick<RecordingsStore, 'gaps' | 'notes'>,
  key: TrackKey,
  nowMs: number,
  retentionDays: number,
): BackfillGap[] {
  const range = { from: nowMs - Math.min(BACK_DAYS, retentionDays) * DAY_MS, to: nowMs - SETTLED_MS };
  const found: { startMs: number; endMs: number }[] = [];
  for (const { startTime, endTime, reason } of store.gaps(key, range, nowMs)) {
    if (reason === 'planOff' || reason === 'clockStep' || reason === 'damaged') continue;
    const last = found.at(-1);
    // One outage may have several reasons after each other.
    if (last && startTime <= last.endMs) last.endMs = Math.max(last.endMs, endTime);
    else found.push({ startMs: startTime, endMs: endTime });
  }
  const last = found.at(-1);
  if (last && last.endMs >= range.to) last.endMs = nowMs - ONGOING_MS;
  const begun = store.notes(key).filter(({ kind }) => kind === 'filled');
  return found.flatMap(({ startMs, endMs }) => {
    const isRest = begun.some((mark) => mark.startMs <= startMs && mark.endMs > startMs);
    const worthMs = isRest ? REST_WORTH_MS : WORTH_MS;
    return endMs - startMs >= worthMs ? [{ startMs, endMs, worthMs }] : [];
  });
}

/** What the device holds within a gap. */
export function backfilledPieces(held: readonly DeviceSpan[], { startMs, endMs }: TimeRange): DeviceSpan[] {
  return held
    .filter(({ from, to }) => to > startMs && from < endMs)
    .map(({ from, to }) => ({ from: Math.max(from, startMs), to: Math.min(to, endMs) }));
}

/** A gap that grew since is another one. */
export function isTried(tried: readonly Tried[], { startMs, endMs }: TimeRange): boolean {
  return tried.some((one) => one.startMs <= startMs && one.endMs >= endMs);
}
