// Detects a decoder that is too slow by the length of its queue. No I/O.

/** A longer queue means that decoding is slower than the stream. */
const LONG_QUEUE = 4;
/** A queue that stays long for this time does not recover. */
const BEHIND_MS = 1500;
/** Frames since the last keyframe arrive in one burst, which takes longer. */
const CATCHING_UP_MS = 2500;
/** Arrival time of the burst itself: an earlier short queue does not mean that it was decoded. */
const BURST_MS = 300;

export class DecodeBacklog {
  #longSince: number | null = null;
  #isCatchingUp = true;
  #begunAt: number | null = null;

  /** Whether queued frames are too old to draw one by one. */
  get isCatchingUp(): boolean {
    return this.#isCatchingUp;
  }

  /** A burst follows. */
  restart(): void {
    this.#longSince = null;
    this.#begunAt = null;
    this.#isCatchingUp = true;
  }

  /** Call with the queue length at every frame; true: too slow. */
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
