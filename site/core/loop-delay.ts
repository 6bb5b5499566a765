// Measures the maximum delay of the recorder's event loop.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Clock } from '@vedette/foundation/time/clock.ts';

const RESOLUTION_MS = 10;
/** Length of a sampling period; the maximum covers the current one and the one before. */
const STRETCH_MS = 60_000;
const NS_PER_MS = 1e6;

export class LoopDelay {
  readonly #histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  readonly #clock: Clock;
  #beforeMs = 0;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  start(): void {
    this.#histogram.enable();
    this.#turn();
  }

  /** In ms, less the resolution of the sampling. */
  get maxMs(): number {
    return Math.max(this.#beforeMs, this.#nowMs());
  }

  close(): void {
    this.#cancel();
    this.#histogram.disable();
  }

  #nowMs(): number {
    const { max, count } = this.#histogram;
    return count === 0 ? 0 : Math.max(0, Math.round(max / NS_PER_MS) - RESOLUTION_MS);
  }

  #turn(): void {
    this.#cancel = this.#clock.after(STRETCH_MS, () => {
      this.#beforeMs = this.#nowMs();
      this.#histogram.reset();
      this.#turn();
    });
  }
}
