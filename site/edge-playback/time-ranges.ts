// Arithmetic on sorted time ranges: difference, intersection and union.
import type { TimeRange } from '@vedette/media/recordings/gaps/track-notes.ts';

/** Parts of `ranges` that no other covers; those shorter than `worthMs` are omitted. */
export function subtractRanges(
  ranges: readonly TimeRange[],
  others: readonly TimeRange[],
  worthMs: number,
): TimeRange[] {
  const left: TimeRange[] = [];
  const add = (startMs: number, endMs: number): void => {
    if (endMs - startMs >= worthMs) left.push({ startMs, endMs });
  };
  for (const range of ranges) {
    let at = range.startMs;
    for (const other of others) {
      if (other.endMs <= at || other.startMs >= range.endMs) continue;
      add(at, other.startMs);
      at = Math.max(at, other.endMs);
    }
    add(at, range.endMs);
  }
  return left;
}

/** Cut to a window. */
export function clipRanges(ranges: readonly TimeRange[], startMs: number, endMs: number): TimeRange[] {
  return ranges
    .filter((range) => range.endMs > startMs && range.startMs < endMs)
    .map((range) => ({ startMs: Math.max(startMs, range.startMs), endMs: Math.min(endMs, range.endMs) }));
}

/** Sorted and merged where they touch or overlap. */
export function mergeRanges(ranges: readonly TimeRange[], seamMs = 0): TimeRange[] {
  const found: { startMs: number; endMs: number }[] = [];
  // Devices also list spans with reversed or missing times.
  const sound = ranges.filter(({ startMs, endMs }) => endMs > startMs).sort((a, b) => a.startMs - b.startMs);
  for (const { startMs, endMs } of sound) {
    const last = found.at(-1);
    if (last && startMs - last.endMs <= seamMs) last.endMs = Math.max(last.endMs, endMs);
    else found.push({ startMs, endMs });
  }
  return found;
}
