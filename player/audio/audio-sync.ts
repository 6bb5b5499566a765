// Keeps a tile's audio in sync with its video: as early as the network allows, never ahead of the video. Pure but for its own memory.

/** All delays: page clock minus wall clock of capture, ms. Their difference is what people notice. */
export type AudioCorrection =
  /** Play faster or slower by this factor; within it no pitch is heard to change. */
  | { readonly kind: 'ratio'; readonly ratio: number }
  /** Leave out so much (positive) or be silent for so much (negative). */
  | { readonly kind: 'jump'; readonly ms: number };

const WINDOW_MS = 5000;
/** Kept beyond the latest arrival, so that a little more jitter does not tear a hole; grows with every hole. */
const MARGIN = { min: 12, max: 400, step: 30 };
/** A margin without holes shrinks by this share a second. */
const MARGIN_DECAY = 0.03;
/** Later than this behind the quickest, it is too late to be played. */
const TOO_LATE_MS = 400;
/** Sound that catches up by so much within so little was waiting somewhere, as in a cached GOP: no measure of the network. */
const CATCHING_UP = { withinMs: 100, byMs: 150 };
const DEAD_BAND_MS = 8;
const JUMP_MS = 60;
const RATIO_MAX = 0.02;
/** So much of an error is worked off within a second. */
const WORKED_OFF = 0.4;

export class AudioSync {
  #arrivals: { readonly at: number; readonly delayMs: number }[] = [];
  #frameDelayMs: number | null = null;
  #marginMs: number = MARGIN.min;
  #marginAt = 0;

  /** A piece came whose first sample is `delayMs` old; false where it is too old to be played at all. */
  arrived(delayMs: number, now: number): boolean {
    const wasWaiting = (one: { at: number; delayMs: number }): boolean =>
      now - one.at < CATCHING_UP.withinMs && one.delayMs > delayMs + CATCHING_UP.byMs;
    const recent = this.#arrivals.filter((one) => now - one.at < WINDOW_MS && !wasWaiting(one));
    const quickest = Math.min(...recent.map((one) => one.delayMs));
    if (delayMs > quickest + TOO_LATE_MS) return false;
    this.#arrivals = [...recent, { at: now, delayMs }];
    const passedS = Math.max(0, now - this.#marginAt) / 1000;
    this.#marginMs = Math.max(MARGIN.min, this.#marginMs * (1 - MARGIN_DECAY) ** passedS);
    this.#marginAt = now;
    return true;
  }

  /** There was nothing to play for a moment. */
  ranDry(): void {
    this.#marginMs = Math.min(MARGIN.max, this.#marginMs + MARGIN.step);
  }

  frameShown(delayMs: number): void {
    const before = this.#frameDelayMs;
    // Smoothed over some frames: single ones come unevenly.
    this.#frameDelayMs =
      before === null || Math.abs(delayMs - before) > 1000 ? delayMs : before + (delayMs - before) / 8;
  }

  /** The delay to play at. */
  get targetMs(): number {
    const latest = Math.max(0, ...this.#arrivals.map((one) => one.delayMs));
    return Math.max(latest + this.#marginMs, this.#frameDelayMs ?? 0);
  }

  /** Heard sound minus shown picture, ms; null before both are known. */
  skewMs(heardDelayMs: number): number | null {
    return this.#frameDelayMs === null ? null : heardDelayMs - this.#frameDelayMs;
  }

  correct(heardDelayMs: number): AudioCorrection {
    const late = heardDelayMs - this.targetMs;
    if (Math.abs(late) > JUMP_MS) return { kind: 'jump', ms: late };
    if (Math.abs(late) < DEAD_BAND_MS) return { kind: 'ratio', ratio: 1 };
    return { kind: 'ratio', ratio: 1 + Math.max(-RATIO_MAX, Math.min(RATIO_MAX, (late * WORKED_OFF) / 1000)) };
  }
}
