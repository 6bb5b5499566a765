// Smooths the latency of frames for display: the usual latency, and the number of late frames.

const EVERY_MS = 2000;
const STEP_MS = 10;
/** Above the usual latency; a freeze of this length is visible. */
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

  /** Frames displayed noticeably later than the others. */
  get late(): number {
    return this.#late;
  }

  /** True if this frame updated the numbers: about every two seconds. */
  add(latencyMs: number, now: number): boolean {
    this.#samples.push(latencyMs);
    if (this.#median !== null && latencyMs > this.#median + LATE_MS) this.#late += 1;
    if (now - this.#shownAt < EVERY_MS) return false;
    const sorted = this.#samples.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? latencyMs;
    this.#median = median;
    // A negative latency means that a clock is wrong: no number is better than a wrong one.
    this.#value = median < -STEP_MS ? null : Math.max(0, Math.round(median / STEP_MS) * STEP_MS);
    this.#samples = [];
    this.#shownAt = now;
    return true;
  }
}
