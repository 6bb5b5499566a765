// How long to wait before the next try at a device: doubling, with jitter so that many devices do not come back at once.

export interface BackOffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** In [0, 1). */
  readonly chance: () => number;
}

/** Waits are this share shorter at most. */
const jitter = 0.25;

export class BackOff {
  readonly #options: BackOffOptions;
  #nextMs: number;

  constructor(options: BackOffOptions) {
    this.#options = options;
    this.#nextMs = options.firstMs;
  }

  /** The next wait, in ms. */
  next(): number {
    const waitMs = this.#nextMs;
    this.#nextMs = Math.min(waitMs * 2, this.#options.maxMs);
    return waitMs * (1 - jitter * this.#options.chance());
  }

  reset(): void {
    this.#nextMs = this.#options.firstMs;
  }
}
