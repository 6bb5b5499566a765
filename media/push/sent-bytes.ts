// Counts what was sent of a stream, in all and as a bit rate.

/** The bit rate is that of so many looks. */
const LOOKS = 5;

export class SentBytes {
  #total = 0;
  /** Total at each of the last looks, oldest first. */
  #looks: number[] = [0];

  get total(): number {
    return this.#total;
  }

  get bitsPerSecond(): number {
    const oldest = this.#looks[0] ?? 0;
    return Math.round(((this.#total - oldest) * 8) / Math.max(1, this.#looks.length - 1));
  }

  add(bytes: number): void {
    this.#total += bytes;
  }

  /** Call once a second. */
  look(): void {
    this.#looks = [...this.#looks, this.#total].slice(-LOOKS - 1);
  }
}
