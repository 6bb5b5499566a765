// Keeps a tile's audio in sync with its video: as early as the network allows, never ahead of the video. No I/O.

/** Delays: page clock minus capture time, ms. Users notice the difference of both. */
export type AudioCorrection =
  /** Playback rate; within these bounds no pitch change is audible. */
  | { readonly kind: 'ratio'; readonly ratio: number }
  /** Skip (positive) or insert silence (negative). */
  | { readonly kind: 'jump'; readonly ms: number };

const WINDOW_MS = 5000;
/** Margin beyond the latest arrival, against jitter; grows with every dropout. */
const MARGIN = { min: 12, max: 400, step: 30 };
/** Without dropouts the margin shrinks by this share per second. */
const MARGIN_DECAY = 0.03;
/** Audio this much later than the fastest is too late to play. */
const TOO_LATE_MS = 400;
/** Audio that catches up this fast was queued, as in a cached GOP: it does not measure the network. */
const CATCHING_UP = { withinMs: 100, byMs: 150 };
const DEAD_BAND_MS = 8;
const JUMP_MS = 60;
const RATIO_MAX = 0.02;
/** Error corrected within a second. */
const WORKED_OFF = 0.4;

export class AudioSync {
  #arrivals: { readonly at: number; readonly delayMs: number }[] = [];
  #frameDelayMs: number | null = null;
  #marginMs: number = MARGIN.min;
  #marginAt = 0;

  /** A piece arrived whose first sample is `delayMs` old; false if it is too old to play. */
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

  /** Dropout: there was nothing to play. */
  ranDry(): void {
    this.#marginMs = Math.min(MARGIN.max, this.#marginMs + MARGIN.step);
  }

  frameShown(delayMs: number): void {
    const before = this.#frameDelayMs;
    // Smoothed, since frames are displayed unevenly.
    this.#frameDelayMs =
      before === null || Math.abs(delayMs - before) > 1000 ? delayMs : before + (delayMs - before) / 8;
  }

  /** Target delay. */
  get targetMs(): number {
    const latest = Math.max(0, ...this.#arrivals.map((one) => one.delayMs));
    return Math.max(latest + this.#marginMs, this.#frameDelayMs ?? 0);
  }

  /** Audio delay minus video delay, ms; null before both are known. */
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
