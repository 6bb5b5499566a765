// Counting semaphore: limits how many tasks run at a time; others wait for a place.

export interface SemaphoreOptions<P> {
  readonly places: number;
  /** Orders waiters by their priority, smallest first; default: first come, first served. */
  readonly compare?: (a: P, b: P) => number;
}

export interface EnterOptions<P> {
  readonly signal?: AbortSignal | undefined;
  readonly priority?: P;
}

interface Waiting<P> {
  readonly priority: P;
  readonly enter: () => void;
}

export class Semaphore<P = undefined> {
  readonly #compare: ((a: P, b: P) => number) | undefined;
  readonly #waiting = new Set<Waiting<P>>();
  #free: number;

  constructor({ places, compare }: SemaphoreOptions<P>) {
    this.#free = places;
    this.#compare = compare;
  }

  /** Runs `work` once a place is free, and frees the place on success or failure. */
  async run<T>(work: () => Promise<T>, options: EnterOptions<P> = {}): Promise<T> {
    const leave = await this.enter(options);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Resolves with the function that frees the place (calling it twice is harmless); rejects with the signal's reason when that aborts first. */
  async enter({ signal, priority }: EnterOptions<P> = {}): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait(priority as P, signal);
    const leave = this.#leaveOnce();
    if (!signal?.aborted) return leave;
    leave();
    throw signal.reason as Error;
  }

  #wait(priority: P, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting.delete(waiting);
        reject(signal?.reason as Error);
      };
      const enter = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const waiting: Waiting<P> = { priority, enter };
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Hands the place directly to the next waiter, so that no newcomer takes it. */
  #leaveOnce(): () => void {
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      const next = this.#next();
      if (next === undefined) this.#free += 1;
      else {
        this.#waiting.delete(next);
        next.enter();
      }
    };
  }

  #next(): Waiting<P> | undefined {
    const compare = this.#compare;
    const [first, ...others] = this.#waiting;
    if (compare === undefined || first === undefined) return first;
    return others.reduce((best, other) => (compare(other.priority, best.priority) < 0 ? other : best), first);
  }
}
