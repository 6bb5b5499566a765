// Queue that sends a feed's events across in batches, so that a burst spreads over many turns of the recorder's event loop.
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** Events per batch: the recorder's loop handles them within a few milliseconds. */
const BATCH = 32;
const APART_MS = 25;

export class BatchQueue<T> {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #send: (told: readonly T[]) => void;
  #waiting: T[] = [];
  #isResting = false;

  /** @param tell sends one batch over the connection. */
  constructor(clock: Pick<Clock, 'after'>, tell: (told: readonly T[]) => void) {
    this.#clock = clock;
    this.#send = tell;
  }

  /** Keeps the order. Callers bound the length of the queue. */
  add(told: T): void {
    this.#waiting.push(told);
    if (!this.#isResting) this.#next();
  }

  /** Flushes the queue: the feed has ended. */
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
