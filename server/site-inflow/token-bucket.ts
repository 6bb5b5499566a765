// Token bucket: so much at once, and so much a second from then on; what was taken beyond it is paid back by waiting.

export interface BucketLimits {
  readonly burst: number;
  readonly perSecond: number;
}

export class TokenBucket {
  readonly #limits: BucketLimits;
  readonly #now: () => number;
  #tokens: number;
  #filledAt: number;

  /** `now`: milliseconds of a clock that is never set back. */
  constructor(limits: BucketLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#tokens = limits.burst;
    this.#filledAt = now();
  }

  /** Takes it in any case; answers the milliseconds until the bucket is out of debt, 0 where it is not in debt. */
  take(cost: number): number {
    const { burst, perSecond } = this.#limits;
    const now = this.#now();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#filledAt) / 1000) * perSecond) - cost;
    this.#filledAt = now;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens / perSecond) * 1000);
  }
}
