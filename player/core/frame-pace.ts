// Learns how long one frame lasts from the frames that come on screen, for steps of a single picture.

const DEFAULT_S = 1 / 15;
const KEEP = 12;
/** Shorter is the same frame again, longer is a seek or a break. */
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

  /** Low among the last gaps: frames that a slow decoder leaves out make gaps longer, nothing makes them shorter for long. */
  get seconds(): number {
    return this.#gaps.toSorted((a, b) => a - b)[Math.floor(this.#gaps.length / 4)] ?? DEFAULT_S;
  }
}
