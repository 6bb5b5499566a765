// Measures the loss window: time from the arrival of a fragment's oldest frame to the end of the sync that covers it.

/** Upper bounds of the histogram, ms; the last bucket is unbounded. */
const BOUNDS_MS = [250, 500, 750, 1000, 1500, 2000, 5000] as const;

export interface LossWindowReport {
  readonly count: number;
  readonly maxMs: number;
  /** Upper bound of the bucket with the 99th percentile; null above the last bound. */
  readonly p99Ms: number | null;
}

export class LossWindow {
  readonly #counts = new Array<number>(BOUNDS_MS.length + 1).fill(0);
  #total = 0;
  #maxMs = 0;

  add(lossMs: number): void {
    const found = BOUNDS_MS.findIndex((bound) => lossMs <= bound);
    const at = found < 0 ? BOUNDS_MS.length : found;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#total += 1;
    this.#maxMs = Math.max(this.#maxMs, lossMs);
  }

  report(): LossWindowReport {
    let seen = 0;
    for (const [at, bound] of BOUNDS_MS.entries()) {
      seen += this.#counts[at] ?? 0;
      if (seen >= this.#total * 0.99) return { count: this.#total, maxMs: this.#maxMs, p99Ms: bound };
    }
    return { count: this.#total, maxMs: this.#maxMs, p99Ms: null };
  }
}
