// Requests keyframes of a device with backoff: most devices obey, some refuse.
import type { Clock } from '@vedette/foundation/time/clock.ts';

const APART_MS = 1000;
const LONGEST_MS = 60_000;

/** Rejects when the device refuses or does not know how. */
export type AskForKeyframe = () => Promise<void>;

export class KeyframeRequest {
  readonly #clock: Clock;
  readonly #requestKeyframe: AskForKeyframe;
  #apartMs = APART_MS;
  #notBeforeMs = -Infinity;
  #isAsking = false;
  /** Sent and obeyed, sent and refused. */
  readonly counters = { asked: 0, refused: 0 };

  constructor(clock: Clock, ask: AskForKeyframe) {
    this.#clock = clock;
    this.#requestKeyframe = ask;
  }

  /** Call as often as a picture is missed. */
  want(): void {
    if (this.#isAsking || this.#clock.monotonicMs() < this.#notBeforeMs) return;
    this.#isAsking = true;
    this.counters.asked += 1;
    this.#requestKeyframe().then(
      () => this.#answered(APART_MS),
      // Why does not matter: the next key picture of the device's own comes anyway.
      () => {
        this.counters.refused += 1;
        this.#answered(Math.min(LONGEST_MS, this.#apartMs * 2));
      },
    );
  }

  #answered(apartMs: number): void {
    this.#isAsking = false;
    this.#apartMs = apartMs;
    this.#notBeforeMs = this.#clock.monotonicMs() + apartMs;
  }
}
