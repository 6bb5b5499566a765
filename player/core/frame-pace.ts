// Measures the frame duration from displayed frames, for stepping by one frame.

const DEFAULT_S = 1 / 15;
const KEEP = 12;
/** Shorter: the same frame again; longer: a seek or a gap. */
const SHORTEST_S = 0.005;
const LONGEST_S = 1.1;

export class FramePace {
  #gaps: readonly number[] = [];
  #last = Number.NaN;

  add(mediaTime: number): void {
    const gap = mediaTime - this.#last;
    this.#last = mediaTime;
    if (gap > SHORTEST_S && gap < LONGEST_S) this.#gaps = [...this.#gaps.slice(1 - KEEP), gap];
  }

  /** A low percentile of recent intervals: dropped frames make intervals longer, nothing makes them shorter for long. */
  get seconds(): number {
    return this.#gaps.toSorted((a, b) => a - b)[Math.floor(this.#gaps.length / 4)] ?? DEFAULT_S;
  }
}
