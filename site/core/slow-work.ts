// Work that may take longer than the server lets its caller wait: asked again, it is joined, and a slow result is kept a while for whoever asks next.
import type { Clock } from '@vedette/foundation/time/clock.ts';

/** The server gives up after 8.5 seconds, less what it took before. */
const SLOW_MS = 7000;
const KEPT_MS = 60_000;

export class SlowWork<T> {
  readonly #clock: Pick<Clock, 'after' | 'monotonicMs'>;
  readonly #running = new Map<string, Promise<T>>();

  constructor(clock: Pick<Clock, 'after' | 'monotonicMs'>) {
    this.#clock = clock;
  }

  join(key: string, start: () => Promise<T>): Promise<T> {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const startedMs = this.#clock.monotonicMs();
    const result = start();
    this.#running.set(key, result);
    const forget = (): void => void this.#running.delete(key);
    result.then(() => {
      if (this.#clock.monotonicMs() - startedMs < SLOW_MS) forget();
      else this.#clock.after(KEPT_MS, forget);
    }, forget);
    return result;
  }
}
