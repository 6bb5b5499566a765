// Counts connections of one kind by address: where they are too many, the oldest of the fullest address is closed, never the newcomer.

export interface CrowdLimits {
  readonly perAddress: number;
  readonly total: number;
}

export class ConnectionCrowd {
  readonly #limits: CrowdLimits;
  /** In the order in which they came. */
  readonly #byAddress = new Map<string, Set<() => void>>();
  #size = 0;

  constructor(limits: CrowdLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * @param key see `addressKey`
   * @param isShared a proxy's: many clients come from there, so only the total counts
   * @returns leaves; once is enough, more do no harm
   */
  enter(key: string, isShared: boolean, close: () => void): () => void {
    const { perAddress, total } = this.#limits;
    while (!isShared && (this.#byAddress.get(key)?.size ?? 0) >= perAddress) this.#closeOldest(key);
    while (this.#size >= total) this.#closeOldest(this.#fullest());
    // An own function for each: a set holds it once.
    const entry = (): void => close();
    const own = this.#byAddress.get(key) ?? new Set();
    this.#byAddress.set(key, own.add(entry));
    this.#size += 1;
    return () => this.#remove(key, entry);
  }

  #closeOldest(key: string): void {
    const [oldest] = this.#byAddress.get(key) ?? [];
    if (oldest === undefined) return;
    this.#remove(key, oldest);
    oldest();
  }

  #remove(key: string, entry: () => void): void {
    const own = this.#byAddress.get(key);
    if (!own?.delete(entry)) return;
    this.#size -= 1;
    if (own.size === 0) this.#byAddress.delete(key);
  }

  /** Of at most as many addresses as there are connections. */
  #fullest(): string {
    let [fullest, most] = ['', 0];
    for (const [key, { size }] of this.#byAddress) if (size > most) [fullest, most] = [key, size];
    return fullest;
  }
}
