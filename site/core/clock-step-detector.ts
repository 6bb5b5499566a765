// Detects steps of the wall clock by comparing it with the monotonic clock.
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Clocks disciplined by NTP drift less between two checks. */
const STEP_MS = 2000;

export class ClockStepDetector {
  readonly #clock: Clock;
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#aheadMs = clock.wallMs() - clock.monotonicMs();
  }

  /** Step of the clock since the last check, ms; 0 if none. */
  check(): number {
    const aheadMs = this.#clock.wallMs() - this.#clock.monotonicMs();
    const stepMs = aheadMs - this.#aheadMs;
    this.#aheadMs = aheadMs;
    return Math.abs(stepMs) >= STEP_MS ? stepMs : 0;
  }
}
