// Queue that sends a feed's events across in batches, so that a burst spreads over many turns of the recorder's event loop.
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Of one crossing; the recorder's loop is done with so many within a few milliseconds. */
const BATCH = 32;
const APART_MS = 25;

export class BatchQueue<T> {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #send: (told: readonly T[]) => void;
  #waiting: T[] = [];
  #isResting = false;

  /** @param tell sends one portion over the line. */
  constructor(clock: Pick<Clock, 'after'>, tell: (told: readonly T[]) => void) {
    this.#clock = clock;
    this.#send = tell;
  }

  /** In order. How much may wait is bounded by who adds. */
  add(told: T): void {
    this.#waiting.push(told);
    if (!this.#isResting) this.#next();
  }

  /** What still waits crosses at once: the feed has ended. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (waiting.length > 0) this.#send(waiting);
  }

  #next(): void {
    const portion = this.#waiting.splice(0, BATCH);
    if (portion.length === 0) return;
    this.#send(portion);
    this.#isResting = true;
    this.#clock.after(APART_MS, () => {
      this.#isResting = false;
      this.#next();
    });
  }
}
