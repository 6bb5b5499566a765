// Turns the delay of single frames into calm numbers for the screen: the usual delay, and how many frames came late.

const EVERY_MS = 2000;
const STEP_MS = 10;
/** Behind the usual delay; a picture that stands still for so long is noticed. */
const LATE_MS = 300;

export class LatencyMeter {
  #samples: number[] = [];
  #shownAt = Number.NEGATIVE_INFINITY;
  #value: number | null = null;
  #median: number | null = null;
  #late = 0;

  /** Median of the last two seconds, in steps of 10 ms; null before the first measured frame. */
  get value(): number | null {
    return this.#value;
  }

  /** Frames that came on screen noticeably later than the others. */
  get late(): number {
    return this.#late;
  }

  /** True when this frame made the numbers new: about every two seconds. */
  add(latencyMs: number, now: number): boolean {
    this.#samples.push(latencyMs);
    if (this.#median !== null && latencyMs > this.#median + LATE_MS) this.#late += 1;
    if (now - this.#shownAt < EVERY_MS) return false;
    const sorted = this.#samples.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? latencyMs;
    this.#median = median;
    // A picture from the future means that one of the clocks is off: better no number than a wrong one.
    this.#value = median < -STEP_MS ? null : Math.max(0, Math.round(median / STEP_MS) * STEP_MS);
    this.#samples = [];
    this.#shownAt = now;
    return true;
  }
}
