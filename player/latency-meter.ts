// Turns the delay of single frames into one calm number for the screen.

const EVERY_MS = 2000;
const STEP_MS = 10;

export class LatencyMeter {
  #samples: number[] = [];
  #shownAt = Number.NEGATIVE_INFINITY;
  #value: number | null = null;

  /** Median of the last two seconds, in steps of 10 ms; null before the first measured frame. */
  get value(): number | null {
    return this.#value;
  }

  add(latencyMs: number, now: number): void {
    this.#samples.push(latencyMs);
    if (now - this.#shownAt < EVERY_MS) return;
    const sorted = this.#samples.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? latencyMs;
    // A picture from the future means that one of the clocks is off: better no number than a wrong one.
    this.#value = median < -STEP_MS ? null : Math.max(0, Math.round(median / STEP_MS) * STEP_MS);
    this.#samples = [];
    this.#shownAt = now;
  }
}
