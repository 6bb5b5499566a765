// Detects from the length of the decode queue that a decoder falls behind for good. Pure.

/** More frames than this wait only where decoding is slower than the stream. */
const LONG_QUEUE = 4;
/** A queue that stays long for this time does not recover by itself. */
const BEHIND_MS = 1500;
/** The frames since the last keyframe come in one burst; their turn takes longer. */
const CATCHING_UP_MS = 2500;
/** The burst itself takes so long to come: a short queue before is none that was worked off. */
const BURST_MS = 300;

export class DecodeBacklog {
  #longSince: number | null = null;
  #isCatchingUp = true;
  #begunAt: number | null = null;

  /** Whether the frames in the queue are the past, better not drawn one by one. */
  get isCatchingUp(): boolean {
    return this.#isCatchingUp;
  }

  /** A burst follows. */
  restart(): void {
    this.#longSince = null;
    this.#begunAt = null;
    this.#isCatchingUp = true;
  }

  /** Call with the queue's length at every frame; true: behind for too long. */
  isBehind(queued: number, now: number): boolean {
    this.#begunAt ??= now;
    if (queued <= 1 && now - this.#begunAt > BURST_MS) this.#isCatchingUp = false;
    if (queued <= LONG_QUEUE) {
      this.#longSince = null;
      return false;
    }
    this.#longSince ??= now;
    return now - this.#longSince > (this.#isCatchingUp ? CATCHING_UP_MS : BEHIND_MS);
  }
}
