// Fake clock for tests: time passes only by `advance`.
import type { Clock } from './clock.ts';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export class FakeClock implements Clock {
  readonly #wallStart: number;
  #timers: Timer[] = [];
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
    const timer = { at: this.#now + Math.max(ms, 0), run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Milliseconds until the next timer; null without any. */
  next(): number | null {
    const first = this.#first();
    return first === undefined ? null : first.at - this.#now;
  }

  /** Runs what falls due, in order, each at its own time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (let timer = this.#first(); timer !== undefined && timer.at <= end; timer = this.#first()) this.#fire(timer);
    this.#now = end;
  }

  /** As `advance`; promises settle between the timers. */
  async advanceAsync(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      await settlePromises();
      const timer = this.#first();
      if (timer === undefined || timer.at > end) break;
      this.#fire(timer);
    }
    this.#now = end;
    await settlePromises();
  }

  #first(): Timer | undefined {
    return this.#timers.toSorted((a, b) => a.at - b.at)[0];
  }

  #fire(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
    this.#now = Math.max(this.#now, timer.at);
    timer.run();
  }
}

/** Flushes settled promises: runs chains of up to twenty continuations. */
export async function settlePromises(): Promise<void> {
  for (let round = 0; round < 20; round += 1) await Promise.resolve();
}
