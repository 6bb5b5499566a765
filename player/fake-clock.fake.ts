// A clock that stands still until a test moves it.
import type { PlayerClock } from './player-clock.ts';

export class FakeClock implements PlayerClock {
  #now = 1_700_000_000_000;
  #timers: { at: number; task: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): () => void {
    const timer = { at: this.#now + delayMs, task };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  random(): number {
    return 0.5;
  }

  /** Moves on and runs what falls due, in order; promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#timers.toSorted((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.#now = next.at;
      next.task();
    }
    this.#now = end;
    await settle();
  }
}

/** Lets every promise that is ready run its continuations. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
