// Limits requests with unknown tickets, so that guessing costs the server little.

const WINDOW_MS = 60_000;
const REFUSALS_PER_WINDOW = 60;
/** Bounds memory during a flood from many addresses; the oldest are forgotten first. */
const MAX_ADDRESSES = 10_000;

interface Tally {
  readonly sinceMs: number;
  refusals: number;
}

export class GuessLimit {
  readonly #monotonicMs: () => number;
  readonly #tallies = new Map<string, Tally>();

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Counts an unknown ticket; true when the address reached its limit. Valid tickets are never delayed. */
  refused(address: string): boolean {
    const now = this.#monotonicMs();
    let tally = this.#tallies.get(address);
    if (!tally || now - tally.sinceMs > WINDOW_MS) {
      this.#tallies.delete(address);
      tally = { sinceMs: now, refusals: 0 };
      this.#tallies.set(address, tally);
      const [oldest] = this.#tallies.keys();
      if (this.#tallies.size > MAX_ADDRESSES && oldest !== undefined) this.#tallies.delete(oldest);
    }
    tally.refusals += 1;
    return tally.refusals > REFUSALS_PER_WINDOW;
  }
}
