// Detects that this process itself was stalled: a periodic check came late.
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Shorter delays are usual on a small machine. */
const WORTH_MS = 1000;

export class StallDetector {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #everyMs: number;
  #checkedMs: number;

  /** @param everyMs interval of the checks. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#checkedMs = clock.monotonicMs();
  }

  /** Lateness of this check in ms; 0 if in time. */
  check(): number {
    const now = this.#clock.monotonicMs();
    const lateMs = now - this.#checkedMs - this.#everyMs;
    this.#checkedMs = now;
    return lateMs >= WORTH_MS ? lateMs : 0;
  }
}
