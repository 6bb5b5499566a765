// Backfill boundaries: a backfilled recording starts at the keyframe before the gap, so it repeats frames that ours ends with.
import type { TrackNote } from './gaps/track-notes.ts';

/** No keyframe is further from the next; what overlaps for longer comes of a clock that was set, and is other recordings. */
const KEY_APART_MS = 60_000;
/** Pictures on both sides of a seam never fit to the millisecond. */
const FITS_MS = 100;

export interface PieceBounds {
  /** Where what comes next begins, with a keyframe, and up to where its file goes, ms. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Says where what comes next repeats what came before, which ended at `endMs`. */
export type IsRepeated = (endMs: number, next: PieceBounds) => boolean;

export function repeatsOf(notes: readonly TrackNote[]): IsRepeated {
  const filled = notes.filter(({ kind }) => kind === 'filled');
  return (endMs, { fromMs }) =>
    endMs - fromMs > FITS_MS &&
    endMs - fromMs <= KEY_APART_MS &&
    filled.some((mark) => fromMs > mark.startMs - KEY_APART_MS && fromMs < mark.endMs + FITS_MS * 20);
}

/** A fragment that `next` shows from its first picture to its last. */
export function isWithin(startMs: number, endMs: number, next: PieceBounds): boolean {
  return startMs >= next.fromMs - 1 && endMs <= next.toMs + FITS_MS;
}
