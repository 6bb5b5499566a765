// Remembers which capture instant belongs to which media time, for the frames that are on their way to the screen.

const KEEP = 256;
/** Media times pass through the browser as microseconds; neighbours are at least 8 ms apart. */
const TOLERANCE_S = 0.003;

export class FrameTimes {
  readonly #mediaTimes = new Float64Array(KEEP).fill(Number.NaN);
  readonly #wallMs = new Float64Array(KEEP);
  #added = 0;

  add(mediaTime: number, wallMs: number): void {
    this.#mediaTimes[this.#added % KEEP] = mediaTime;
    this.#wallMs[this.#added % KEEP] = wallMs;
    this.#added += 1;
  }

  /** How many frames were added before the one of this time; null for a frame that was forgotten or never seen. */
  numberOf(mediaTime: number): number | null {
    for (let number = this.#added - 1; number >= Math.max(0, this.#added - KEEP); number--) {
      if (Math.abs((this.#mediaTimes[number % KEEP] as number) - mediaTime) < TOLERANCE_S) return number;
    }
    return null;
  }

  /** Of a frame that `numberOf` has just found. */
  wallMsOf(number: number): number {
    return this.#wallMs[number % KEEP] as number;
  }
}
