// Sum of what happened in the last minute, by the second.
const SECONDS = 60;

export class MinuteSum {
  readonly #sums = new Float64Array(SECONDS);
  #second = 0;

  /** `nowMs`: monotonic. */
  add(nowMs: number, amount: number): void {
    this.#forget(nowMs);
    const at = this.#second % SECONDS;
    this.#sums[at] = (this.#sums[at] ?? 0) + amount;
  }

  of(nowMs: number): number {
    this.#forget(nowMs);
    return this.#sums.reduce((sum, one) => sum + one, 0);
  }

  #forget(nowMs: number): void {
    const second = Math.floor(nowMs / 1000);
    const passed = Math.min(SECONDS, second - this.#second);
    for (let step = 1; step <= passed; step += 1) this.#sums[(this.#second + step) % SECONDS] = 0;
    this.#second = Math.max(second, this.#second);
  }
}
