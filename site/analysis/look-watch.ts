// Whether a channel is really looked at: its gate sees pictures, and while they are wanted the analyst answers.

/** A keyframe of a second stream comes every few seconds: without one for so long nobody knows whether something moves. */
const GATE_MS = 10_000;
/** Beginning to decode takes a second or two, and a busy machine looks at fewer pictures. */
const ANSWER_MS = 5000;

export class LookWatch {
  #answeredAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;

  /** The analyst looked at a picture. `now`: of a clock that never steps, ms. */
  answered(now: number): void {
    this.#answeredAt = now;
  }

  /** The analyst ended with a picture in its hands. */
  failed(): void {
    this.#hasFailed = true;
  }

  /** `gateAt`: when the gate last looked at a keyframe; `isWanted`: pictures are, since something moves. */
  isLooking(now: number, { gateAt, isWanted }: { readonly gateAt: number; readonly isWanted: boolean }): boolean {
    const hasFailed = this.#hasFailed;
    this.#hasFailed = false;
    if (!isWanted) this.#answeredAt = now;
    return !hasFailed && now - gateAt <= GATE_MS && now - this.#answeredAt <= ANSWER_MS;
  }
}
