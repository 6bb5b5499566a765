// Detects that this process itself was stalled: a periodic check came late.
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Shorter ones are the usual haste of a small machine. */
const WORTH_MS = 1000;

export class Lateness {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #everyMs: number;
  #lookedMs: number;

  /** @param everyMs between two looks when all is well. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#lookedMs = clock.monotonicMs();
  }

  /** How much later than it should this look comes, in ms; 0 when in time. */
  look(): number {
    const now = this.#clock.monotonicMs();
    const lateMs = now - this.#lookedMs - this.#everyMs;
    this.#lookedMs = now;
    return lateMs >= WORTH_MS ? lateMs : 0;
  }
}
