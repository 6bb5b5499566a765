// Tells when pictures arrive ever later than they were taken: the line, or the page, is too slow for their stream.

/** Behind the picture that came soonest after its capture. A line that merely paused has caught up before `HELD_MS` are over. */
const BEHIND_MS = 2000;
const HELD_MS = 4000;
/** So much of the time that passes the soonest picture is forgotten: the clock of a camera may run a little wrong for days. */
const FORGOTTEN = 0.001;
/** Capture times that step back by more come of another clock or of pictures sent again: what was seen before tells nothing of them. */
const STEP_MS = 1000;

export class LineLag {
  #soonestMs = Number.POSITIVE_INFINITY;
  #takenMs = Number.NEGATIVE_INFINITY;
  #heardAt = 0;
  #behindSince: number | null = null;

  /**
   * @param takenMs capture time by the site's clock
   * @param now of any clock that never steps
   * @returns true once every picture of four seconds was behind
   */
  add(takenMs: number, now: number): boolean {
    if (takenMs < this.#takenMs - STEP_MS) this.reset();
    this.#takenMs = takenMs;
    const delayMs = now - takenMs;
    this.#soonestMs = Math.min(this.#soonestMs + (now - this.#heardAt) * FORGOTTEN, delayMs);
    this.#heardAt = now;
    if (delayMs - this.#soonestMs < BEHIND_MS) this.#behindSince = null;
    else this.#behindSince ??= now;
    return this.#behindSince !== null && now - this.#behindSince >= HELD_MS;
  }

  /** What comes next is not compared with what came before. */
  reset(): void {
    this.#soonestMs = Number.POSITIVE_INFINITY;
    this.#takenMs = Number.NEGATIVE_INFINITY;
    this.#behindSince = null;
  }
}
