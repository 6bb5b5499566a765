// Keeps a tile's sound beside its picture: as early as the network allows, never earlier than the picture. Pure but for its own memory.

/** All delays: page clock minus wall clock of capture, ms. Their difference is what people notice. */
export type SoundMove =
  /** Play faster or slower by this factor; within it no pitch is heard to change. */
  | { readonly kind: 'ratio'; readonly ratio: number }
  /** Leave out so much (positive) or be silent for so much (negative). */
  | { readonly kind: 'jump'; readonly ms: number };

const WINDOW_MS = 5000;
/** Kept beyond the latest arrival, so that a little more jitter does not tear a hole. */
const MARGIN_MS = 12;
/** Later than this behind the quickest: the sound of a cached GOP or a hiccup, no measure of the network. */
const OUTLIER_MS = 400;
const DEAD_BAND_MS = 8;
const JUMP_MS = 60;
const RATIO_MAX = 0.02;
/** So much of an error is worked off within a second. */
const WORKED_OFF = 0.4;

export class SoundSync {
  #arrivals: { readonly at: number; readonly delayMs: number }[] = [];
  #pictureDelayMs: number | null = null;

  /** A piece came whose first sample is `delayMs` old; false where it is too old to be played at all. */
  arrived(delayMs: number, now: number): boolean {
    const recent = this.#arrivals.filter((one) => now - one.at < WINDOW_MS && one.delayMs < delayMs + OUTLIER_MS);
    const quickest = Math.min(...recent.map((one) => one.delayMs));
    if (delayMs > quickest + OUTLIER_MS) return false;
    recent.push({ at: now, delayMs });
    this.#arrivals = recent;
    return true;
  }

  pictureShown(delayMs: number): void {
    const before = this.#pictureDelayMs;
    // Smoothed over some frames: single ones come unevenly.
    this.#pictureDelayMs =
      before === null || Math.abs(delayMs - before) > 1000 ? delayMs : before + (delayMs - before) / 8;
  }

  /** The delay to play at. */
  get targetMs(): number {
    const latest = Math.max(0, ...this.#arrivals.map((one) => one.delayMs));
    return Math.max(latest + MARGIN_MS, this.#pictureDelayMs ?? 0);
  }

  /** Heard sound minus shown picture, ms; null before both are known. */
  skewMs(heardDelayMs: number): number | null {
    return this.#pictureDelayMs === null ? null : heardDelayMs - this.#pictureDelayMs;
  }

  correct(heardDelayMs: number): SoundMove {
    const late = heardDelayMs - this.targetMs;
    if (Math.abs(late) > JUMP_MS) return { kind: 'jump', ms: late };
    if (Math.abs(late) < DEAD_BAND_MS) return { kind: 'ratio', ratio: 1 };
    return { kind: 'ratio', ratio: 1 + Math.max(-RATIO_MAX, Math.min(RATIO_MAX, (late * WORKED_OFF) / 1000)) };
  }
}
