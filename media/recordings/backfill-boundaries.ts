// Backfill boundaries: a backfilled recording starts at the keyframe before the gap, so it repeats frames that ours ends with.
import type { TrackNote } from './gaps/track-notes.ts';

/** No keyframe interval is longer; a longer overlap comes from a clock that was set, and is different video. */
const KEY_APART_MS = 60_000;
/** Tolerance between frames on both sides of a boundary. */
const FITS_MS = 100;

export interface PieceBounds {
  /** Start of the following piece, at a keyframe, and end of its file, ms. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where the following piece repeats the one before, which ended at `endMs`. */
export type IsRepeated = (endMs: number, next: PieceBounds) => boolean;

export function repeatsOf(notes: readonly TrackNote[]): IsRepeated {
  const filled = notes.filter(({ kind }) => kind === 'filled');
  return (endMs, { fromMs }) =>
    endMs - fromMs > FITS_MS &&
    endMs - fromMs <= KEY_APART_MS &&
    filled.some((mark) => fromMs > mark.startMs - KEY_APART_MS && fromMs < mark.endMs + FITS_MS * 20);
}

/** Whether `next` shows the whole fragment. */
export function isFragmentWithin(startMs: number, endMs: number, next: PieceBounds): boolean {
  return startMs >= next.fromMs - 1 && endMs <= next.toMs + FITS_MS;
}
