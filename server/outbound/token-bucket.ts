// A token bucket: so much a second in the mean, and some seconds of it at once.

export class TokenBucket {
  readonly #perS: number;
  readonly #most: number;
  #left: number;
  #atMs: number;

  /** @param burstS seconds of `perS` that may be spent at once */
  constructor({ perS, burstS }: { readonly perS: number; readonly burstS: number }, nowMs: number) {
    this.#perS = perS;
    this.#most = perS * burstS;
    this.#left = this.#most;
    this.#atMs = nowMs;
  }

  /** Takes all of `amount` or nothing. */
  spend(amount: number, nowMs: number): boolean {
    this.#left = Math.min(this.#most, this.#left + ((nowMs - this.#atMs) / 1000) * this.#perS);
    this.#atMs = nowMs;
    if (this.#left < amount) return false;
    this.#left -= amount;
    return true;
  }
}
