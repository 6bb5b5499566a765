// Tracks why a recording is interrupted and writes notes: from when, to when, why.
import type { GapReason } from '@vedette/contract/enumerations.ts';
import type { TrackNote } from '@vedette/media/recordings/gaps/track-notes.ts';

/** Shorter interruptions leave no gap on the timeline. */
const WORTH_MS = 2000;
/** A continuing gap is noted again at this interval, which bounds what a kill leaves unexplained. */
const AGAIN_MS = 30_000;

export class GapTracker {
  readonly #note: (note: TrackNote) => void;
  #open: { readonly kind: GapReason; readonly startMs: number } | null = null;
  #notedMs = -Infinity;

  constructor(note: (note: TrackNote) => void) {
    this.#note = note;
  }

  /** `lastStoredMs`: end of the newest recording, where a gap after it begins. */
  update(reason: GapReason | null, nowMs: number, lastStoredMs: number | null): void {
    const open = this.#open;
    if (open?.kind === reason) {
      if (nowMs - open.startMs >= WORTH_MS && nowMs - this.#notedMs >= AGAIN_MS) this.#write(nowMs);
      return;
    }
    if (open === null && reason === null) return;
    const from = open ? nowMs : Math.min(nowMs, lastStoredMs ?? nowMs);
    this.end(nowMs);
    if (reason !== null) this.#open = { kind: reason, startMs: from };
  }

  end(nowMs: number): void {
    if (this.#open && nowMs - this.#open.startMs >= WORTH_MS) this.#write(nowMs);
    this.#open = null;
    this.#notedMs = -Infinity;
  }

  #write(nowMs: number): void {
    if (!this.#open) return;
    this.#note({ ...this.#open, endMs: nowMs });
    this.#notedMs = nowMs;
  }
}
