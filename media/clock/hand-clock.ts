// A clock for tests that moves only when told.
import type { Clock } from './clock.ts';

export class HandClock implements Clock {
  readonly #timers = new Map<symbol, { at: number; run: () => void }>();
  readonly #wallStart: number;
  #now = 0;

  constructor(wallStart = 1_800_000_000_000) {
    this.#wallStart = wallStart;
  }

  wallMs(): number {
    return this.#wallStart + this.#now;
  }

  monotonicMs(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const key = Symbol('timer');
    this.#timers.set(key, { at: this.#now + ms, run });
    return () => this.#timers.delete(key);
  }

  /** Milliseconds until the next timer; null without any. */
  next(): number | null {
    const times = [...this.#timers.values()].map((timer) => timer.at);
    return times.length === 0 ? null : Math.min(...times) - this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const [key, timer] of this.#timers) {
      if (timer.at > this.#now) continue;
      this.#timers.delete(key);
      timer.run();
    }
  }
}
