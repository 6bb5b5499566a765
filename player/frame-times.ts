// Remembers which capture instant belongs to which media time, for the frames that are on their way to the screen.

const KEEP = 256;
/** Media times pass through the browser as microseconds; neighbours are at least 8 ms apart. */
const TOLERANCE_S = 0.003;

export class FrameTimes {
  readonly #mediaTimes = new Float64Array(KEEP).fill(Number.NaN);
  readonly #wallMs = new Float64Array(KEEP);
  #next = 0;

  add(mediaTime: number, wallMs: number): void {
    this.#mediaTimes[this.#next] = mediaTime;
    this.#wallMs[this.#next] = wallMs;
    this.#next = (this.#next + 1) % KEEP;
  }

  /** Newest first; null for a frame that was forgotten or never seen. */
  find(mediaTime: number): number | null {
    for (let back = 1; back <= KEEP; back++) {
      const at = (this.#next - back + KEEP) % KEEP;
      if (Math.abs((this.#mediaTimes[at] as number) - mediaTime) < TOLERANCE_S) return this.#wallMs[at] as number;
    }
    return null;
  }
}
