// Through which the calls of one recording disk go: so many at once, and none while an earlier one has not returned in time.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';

export interface DiskGateOptions {
  readonly clock: Pick<Clock, 'after'>;
  /** At once: each holds a thread. */
  readonly calls: number;
}

export interface GateOptions<T> {
  /** Takes what a late call returned. */
  readonly late?: (value: T) => Promise<void>;
  /** Made later where the disk does not answer now. */
  readonly isOwed?: boolean;
}

/**
 * As a call of the kernel would end it on a network disk that is mounted softly. What it was to do may still happen, and memory
 * that it was given may still be read.
 */
export class DiskHangs extends Error {
  override readonly name = 'DiskHangs';
  readonly code = 'ETIMEDOUT';
}

/**
 * Disks that restart or move bad sectors away take some seconds. Until then a recorder keeps what arrives in its memory: 8 MB,
 * of a camera with 4 Mbit/s sixteen seconds.
 */
export const ANSWERS_WITHIN_MS = 10_000;
/** A process that was stopped finds its timers due before the answers that came meanwhile. */
const LAST_LOOK_MS = 1000;

export class DiskGate {
  readonly calls: number;
  readonly #clock: DiskGateOptions['clock'];
  readonly #places: Semaphore;
  readonly #syncs: Semaphore;
  readonly #owed: (() => void)[] = [];
  /** Calls that did not return in time. */
  #late = 0;
  #closing = new AbortController();

  constructor({ clock, calls }: DiskGateOptions) {
    this.calls = calls;
    this.#clock = clock;
    this.#places = new Semaphore({ places: calls });
    this.#syncs = new Semaphore({ places: Math.max(1, Math.floor(calls / 2)) });
  }

  get isHanging(): boolean {
    return this.#late > 0;
  }

  assertAnswers(): void {
    this.#closing.signal.throwIfAborted();
  }

  /** Rejects with DiskHangs where the disk does not answer. */
  async run<T>(work: () => Promise<T>, options: GateOptions<T> = {}): Promise<T> {
    return await this.#through([this.#places], work, options);
  }

  /** Syncs take the longest: writes find a place beside them. */
  async sync(work: () => Promise<void>): Promise<void> {
    await this.#through([this.#syncs, this.#places], work, {});
  }

  async #through<T>(ways: readonly Semaphore[], work: () => Promise<T>, options: GateOptions<T>): Promise<T> {
    const entered: (() => void)[] = [];
    const leave = (): void => {
      for (const one of entered) one();
    };
    try {
      for (const way of ways) entered.push(await way.enter({ signal: this.#closing.signal }));
    } catch (error) {
      leave();
      if (options.isOwed === true) this.#owed.push(() => void this.#settled(this.run(work, options)));
      throw error;
    }
    return await this.#timed(work().finally(leave), options);
  }

  #timed<T>(call: Promise<T>, { late }: GateOptions<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const giveUp = (): void => {
        isLate = true;
        const error = this.#hang();
        reject(error);
      };
      let cancel = this.#clock.after(ANSWERS_WITHIN_MS, () => {
        cancel = this.#clock.after(LAST_LOOK_MS, giveUp);
      });
      const answer = (settle: () => void): void => {
        cancel();
        if (isLate) this.#returned();
        else settle();
      };
      call.then(
        (value) => {
          if (isLate && late) void this.#settled(late(value));
          answer(() => resolve(value));
        },
        (error: unknown) => answer(() => reject(error)),
      );
    });
  }

  /** Turns away who waits, until every late call has returned: each would hold one more thread. */
  #hang(): DiskHangs {
    this.#late += 1;
    const error = new DiskHangs(`the disk did not answer within ${ANSWERS_WITHIN_MS / 1000} seconds`);
    this.#closing.abort(error);
    return error;
  }

  #returned(): void {
    this.#late -= 1;
    if (this.#late > 0) return;
    this.#closing = new AbortController();
    for (const call of this.#owed.splice(0)) call();
  }

  /** Nobody waits for it any more. */
  async #settled(work: Promise<unknown>): Promise<void> {
    await Promise.allSettled([work]);
  }
}
