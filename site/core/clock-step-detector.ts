// Detects steps of the wall clock by comparing it with the monotonic clock.
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Clocks that are disciplined drift by less between two looks. */
const STEP_MS = 2000;

export class ClockStepDetector {
  readonly #clock: Clock;
  #aheadMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#aheadMs = clock.wallMs() - clock.monotonicMs();
  }

  /** How far the clock was set since the last look, ms; 0 when it was not. */
  check(): number {
    const aheadMs = this.#clock.wallMs() - this.#clock.monotonicMs();
    const stepMs = aheadMs - this.#aheadMs;
    this.#aheadMs = aheadMs;
    return Math.abs(stepMs) >= STEP_MS ? stepMs : 0;
  }
}
