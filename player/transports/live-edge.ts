// Decides how a live tile follows the live edge: small changes of the playback rate, one seek when far behind. Pure but for its own memory.

export interface EdgeView {
  /** Media times in seconds. */
  readonly currentTime: number;
  readonly rangeStart: number;
  readonly rangeEnd: number;
}

export type EdgeMove =
  | { readonly kind: 'rate'; readonly rate: number }
  | { readonly kind: 'seek'; readonly to: number };

const WINDOW_MS = 1000;
const TARGET_MIN_S = 0.03;
const TARGET_START_S = 0.05;
const TARGET_MAX_S = 0.6;
/** Within this distance of the target the rate stays 1: a rate that changes all the time is heard and costs work. */
const DEAD_BAND_S = 0.02;
/** Farther behind than this, catching up by rate would show the past for too long. */
const SEEK_BEHIND_S = 1.5;
/** A position may pass the last sample by the length of a picture before the element stops. */
const OVERSHOOT_S = 0.25;
const CALM_MS = 4000;
const CALM_SHRINKS = 0.85;

/**
 * The margin is the smallest distance from the playing position to the newest sample, taken just before each append
 * and held for one second: it is what is left over when the next picture arrives, thus the delay that could be saved.
 */
export class LiveEdge {
  #lows: { at: number; margin: number }[] = [];
  #target = TARGET_START_S;
  #lastTroubleAt = 0;

  /** Delay kept beyond the newest picture, in seconds; grows when playback ran dry, shrinks in calm. */
  get targetS(): number {
    return this.#target;
  }

  beforeAppend(margin: number, now: number): void {
    const kept = this.#lows.filter((low) => now - low.at < WINDOW_MS && low.margin < margin);
    kept.push({ at: now, margin });
    this.#lows = kept;
  }

  ranDry(now: number): void {
    if (now - this.#lastTroubleAt < 300) return;
    this.#target = Math.min(TARGET_MAX_S, this.#target * 1.5);
    this.#lastTroubleAt = now;
  }

  /** Forget what was measured, after a seek or a restart. */
  reset(now: number): void {
    this.#lows = [];
    this.#lastTroubleAt = Math.max(this.#lastTroubleAt, now);
  }

  move(view: EdgeView, now: number): EdgeMove {
    this.#relax(now);
    const ahead = view.rangeEnd - view.currentTime;
    if (
      ahead > SEEK_BEHIND_S + this.#target ||
      view.currentTime < view.rangeStart - OVERSHOOT_S ||
      ahead < -OVERSHOOT_S
    ) {
      return { kind: 'seek', to: this.startPosition(view) };
    }
    const oldest = this.#lows[0];
    if (!oldest || now - oldest.at > 2 * WINDOW_MS) return { kind: 'rate', rate: 1 };
    return { kind: 'rate', rate: rateFor(oldest.margin - this.#target) };
  }

  startPosition(view: EdgeView): number {
    return Math.max(view.rangeStart, view.rangeEnd - this.#target - 0.04);
  }

  #relax(now: number): void {
    if (now - this.#lastTroubleAt < CALM_MS) return;
    this.#target = Math.max(TARGET_MIN_S, this.#target * CALM_SHRINKS);
    this.#lastTroubleAt = now;
  }
}

function rateFor(excess: number): number {
  if (Math.abs(excess) < DEAD_BAND_S) return 1;
  if (excess < 0) return 0.97;
  if (excess > 0.5) return 1.5;
  return excess > 0.15 ? 1.2 : 1.06;
}
