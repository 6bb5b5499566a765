// Writes that go on all the time through an outage: which were acknowledged, and how long none was.
import type { Envelope } from '@vedette/contract/calls/calls.ts';

const PAUSE_MS = 20;

export interface Outage {
  /** Names whose writing was answered with success. */
  readonly acknowledged: readonly string[];
  /** Longest time from one success to the next. */
  readonly longestGapMs: number;
  /** Answers that were no success. */
  readonly refused: number;
}

export class AcknowledgedWrites {
  readonly #write: (name: string) => Promise<Envelope>;
  readonly #acknowledged: string[] = [];
  readonly #running: Promise<void>;
  #longestGapMs = 0;
  #refused = 0;
  #lastAt = performance.now();
  #isOver = false;

  /** `write` stores one thing of that name. */
  constructor(write: (name: string) => Promise<Envelope>) {
    this.#write = write;
    this.#running = this.#run();
  }

  get count(): number {
    return this.#acknowledged.length;
  }

  async end(): Promise<Outage> {
    this.#isOver = true;
    await this.#running;
    return { acknowledged: this.#acknowledged, longestGapMs: Math.round(this.#longestGapMs), refused: this.#refused };
  }

  async #run(): Promise<void> {
    for (let no = 1; !this.#isOver; no += 1) {
      const name = `Write ${no}`;
      // A connection that is cut is no answer.
      const answer = await this.#write(name).catch(() => null);
      if (answer?.code === 200) this.#succeeded(name);
      else this.#refused += 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  #succeeded(name: string): void {
    this.#longestGapMs = Math.max(this.#longestGapMs, performance.now() - this.#lastAt);
    this.#lastAt = performance.now();
    this.#acknowledged.push(name);
  }
}
