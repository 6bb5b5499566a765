// Detects that this process itself was stalled: a periodic check came late.
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Shorter ones are the usual haste of a small machine. */
const WORTH_MS = 1000;

export class StallDetector {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #everyMs: number;
  #checkedMs: number;

  /** @param everyMs between two looks when all is well. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#checkedMs = clock.monotonicMs();
  }

  /** How much later than it should this look comes, in ms; 0 when in time. */
  check(): number {
    const now = this.#clock.monotonicMs();
    const lateMs = now - this.#checkedMs - this.#everyMs;
    this.#checkedMs = now;
    return lateMs >= WORTH_MS ? lateMs : 0;
  }
}
