// Quarantine for devices that exceeded their budget in the drivers' loop: no requests for a while, longer each time.
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

const LASTS = { firstMs: 60_000, maxMs: 3_600_000 } as const;
/** After this time without another, the next counts as the first. */
const FORGOTTEN_MS = 6 * 3_600_000;
/** Candidates are named by callers, so their number is bounded: the oldest are dropped. */
const NAMES_MAX = 1000;

interface QuarantineEntry {
  readonly count: number;
  readonly untilMs: number;
}

export class Quarantine {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #byName = new Map<string, QuarantineEntry>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  isBarred(name: string): boolean {
    return (this.#byName.get(name)?.untilMs ?? -Infinity) > this.#clock.monotonicMs();
  }

  /** Number currently quarantined. */
  get count(): number {
    return [...this.#byName.keys()].filter((name) => this.isBarred(name)).length;
  }

  /** Returns the duration, in ms. */
  add(name: string): number {
    const now = this.#clock.monotonicMs();
    const before = this.#byName.get(name);
    const count = before && now - before.untilMs < FORGOTTEN_MS ? before.count + 1 : 1;
    const lastsMs = backoffDelayMs(count - 1, 0, LASTS);
    this.#byName.delete(name);
    this.#byName.set(name, { count, untilMs: now + lastsMs });
    const [oldest] = this.#byName.keys();
    if (this.#byName.size > NAMES_MAX && oldest !== undefined) this.#byName.delete(oldest);
    return lastsMs;
  }
}
