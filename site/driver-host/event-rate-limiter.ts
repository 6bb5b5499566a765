// Rate limiter (token bucket) for a device's events before they cross to the recorder's loop; slightly wider than the limit towards the server.

/** Burst, and rate per second. */
const BURST = 2000;
const PER_SECOND = 50;

export class EventRateLimiter {
  readonly #monotonicMs: () => number;
  #left = BURST;
  #filledMs: number;
  #heldBack = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
    this.#filledMs = monotonicMs();
  }

  pass(): boolean {
    const now = this.#monotonicMs();
    this.#left = Math.min(BURST, this.#left + ((now - this.#filledMs) / 1000) * PER_SECOND);
    this.#filledMs = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Counts a dropped event. */
  holdBack(): void {
    this.#heldBack += 1;
  }

  /** Dropped events since the last call. */
  takeHeldBack(): number {
    const heldBack = this.#heldBack;
    this.#heldBack = 0;
    return heldBack;
  }
}
