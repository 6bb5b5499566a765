// Counts from how many addresses something was fetched, without keeping who: the addresses are forgotten with it.

/** Beyond it the count stands still: more is no more telling, and memory is bounded. */
const MOST = 10_000;

export class AddressCount {
  readonly #seen = new Set<string>();

  get count(): number {
    return this.#seen.size;
  }

  /** Empty: it is not known. */
  note(address: string): void {
    if (address !== '' && this.#seen.size < MOST) this.#seen.add(address);
  }
}
