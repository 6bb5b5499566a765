// Finds the gaps of a track to backfill from the device, without those that were tried a while ago.
import type { GapReason } from '@vedette/contract/enumerations.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { RecordedSpan as DeviceSpan } from '@vedette/drivers/kit/driver.ts';
import type { TrackKey } from '@vedette/media/recordings/recording-path.ts';
import type { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';

export interface TriedGap extends TimeRange {
  /** Monotonic time before which it is not tried again. */
  readonly untilMs: number;
}

export interface BackfillGap extends TimeRange {
  /** Shorter gaps are not requested. */
  readonly worthMs: number;
}

/** Shorter gaps are seams between files, ours or the device's. */
const WORTH_MS = 5000;
/** Minimum for the rest of an interrupted backfill: whatever the timeline shows as a gap. */
const REST_WORTH_MS = 2000;
/** The newest recording may not be on disk yet, here or in the device. */
const SETTLED_MS = 10_000;
/** During a continuing outage only gaps up to this age are filled, so that the rest is worth one replay. */
const ONGOING_MS = 600_000;
/** Oldest age of a gap to fill: older ones were not filled in all the days since. */
const BACK_DAYS = 7;

const UNFILLED: ReadonlySet<GapReason> = new Set(['planOff', 'clockStep', 'damaged', 'empty']);

/** Oldest first; leaves out gaps by plan, by a clock that was set, of damaged recordings and of those that were removed because they are empty. */
export function findBackfillGaps(
  store: Pick<RecordingsStore, 'gaps' | 'notes'>,
  key: TrackKey,
  nowMs: number,
  retentionDays: number,
): BackfillGap[] {
  const range = { from: nowMs - Math.min(BACK_DAYS, retentionDays) * DAY_MS, to: nowMs - SETTLED_MS };
  const found: { startMs: number; endMs: number }[] = [];
  for (const { startTime, endTime, reason } of store.gaps(key, range, nowMs)) {
    if (UNFILLED.has(reason)) continue;
    const last = found.at(-1);
    // One outage may have several reasons in succession.
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

/** Recordings of the device within a gap. */
export function backfilledPieces(held: readonly DeviceSpan[], { startMs, endMs }: TimeRange): DeviceSpan[] {
  return held
    .filter(({ from, to }) => to > startMs && from < endMs)
    .map(({ from, to }) => ({ from: Math.max(from, startMs), to: Math.min(to, endMs) }));
}

/** A gap that grew counts as a new one. */
export function isTried(tried: readonly TriedGap[], { startMs, endMs }: TimeRange): boolean {
  return tried.some((one) => one.startMs <= startMs && one.endMs >= endMs);
}
