// Requests keyframes of a device with backoff: most devices obey, some refuse.
import { Backoff } from '@vedette/foundation/backoff/backoff.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

const APART_MS = 1000;
const REFUSED = { firstMs: 2 * APART_MS, maxMs: 60_000, jitter: 0 } as const;

/** Rejects if the device refuses or does not support it. */
export type AskForKeyframe = () => Promise<void>;

export class KeyframeRequest {
  readonly #clock: Clock;
  readonly #requestKeyframe: AskForKeyframe;
  readonly #refused = new Backoff(REFUSED, () => 0);
  #notBeforeMs = -Infinity;
  #isAsking = false;
  /** Successful requests, and refused ones. */
  readonly counters = { asked: 0, refused: 0 };

  constructor(clock: Clock, ask: AskForKeyframe) {
    this.#clock = clock;
    this.#requestKeyframe = ask;
  }

  /** Call for each frame that cannot be decoded. */
  want(): void {
    if (this.#isAsking || this.#clock.monotonicMs() < this.#notBeforeMs) return;
    this.#isAsking = true;
    this.counters.asked += 1;
    this.#requestKeyframe().then(
      () => {
        this.#refused.reset();
        this.#answered(APART_MS);
      },
      // The reason does not matter: the device sends its next regular keyframe anyway.
      () => {
        this.counters.refused += 1;
        this.#answered(this.#refused.next());
      },
    );
  }

  #answered(apartMs: number): void {
    this.#isAsking = false;
    this.#notBeforeMs = this.#clock.monotonicMs() + apartMs;
  }
}
