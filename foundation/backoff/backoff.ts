// Exponential backoff with jitter: delays double up to a limit, spread so that many clients do not return in one instant.

export interface BackoffOptions {
  readonly firstMs: number;
  readonly maxMs: number;
  /** Random share of each delay, 0 to 1: the delay is shortened by up to that share. Default: a quarter. */
  readonly jitter?: number;
}

const DEFAULT_JITTER = 0.25;

/** Limit of doublings, to stay within the range of a number. */
const MAX_DOUBLINGS = 30;

/** `attempt` counts from 0; `random` lies in [0, 1). */
export function backoffDelayMs(attempt: number, random: number, options: BackoffOptions): number {
  const { firstMs, maxMs, jitter = DEFAULT_JITTER } = options;
  const whole = Math.min(maxMs, firstMs * 2 ** Math.min(Math.max(attempt, 0), MAX_DOUBLINGS));
  return Math.round(whole * (1 - jitter * random));
}

export class Backoff {
  readonly #options: BackoffOptions;
  readonly #random: () => number;
  #attempt = 0;

  constructor(options: BackoffOptions, random: () => number) {
    this.#options = options;
    this.#random = random;
  }

  /** The next delay in ms; each call doubles the one after it. */
  next(): number {
    const delayMs = backoffDelayMs(this.#attempt, this.#random(), this.#options);
    this.#attempt += 1;
    return delayMs;
  }

  /** Call after a success. */
  reset(): void {
    this.#attempt = 0;
  }
}
