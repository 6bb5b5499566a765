// Collects the garbage of a crowd of connections that has left: V8 collects as memory is allocated, and a gateway at rest allocates nothing.
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Eight thousand of them, half with a TLS handshake, kept 56 MB that nothing freed while the gateway was at rest. */
const CROWD = 1000;
/** Fewer in a minute are ordinary visitors, whose garbage V8 collects bit by bit. */
const WITHIN_MS = 60_000;
/** Most of a crowd leaves at once; a collection of all that is free takes 80 ms. */
const AFTER_MS = 10_000;

export interface CrowdGarbageOptions {
  readonly clock: Pick<Clock, 'after' | 'monotonicMs'>;
  readonly collect: () => void;
}

export class CrowdGarbage {
  readonly #options: CrowdGarbageOptions;
  #left = 0;
  #since = 0;

  constructor(options: CrowdGarbageOptions) {
    this.#options = options;
  }

  /** One connection was closed. */
  left(): void {
    const now = this.#options.clock.monotonicMs();
    if (now - this.#since > WITHIN_MS) [this.#left, this.#since] = [0, now];
    this.#left += 1;
    if (this.#left !== CROWD) return;
    this.#options.clock.after(AFTER_MS, () => {
      this.#left = 0;
      this.#options.collect();
    });
  }
}
