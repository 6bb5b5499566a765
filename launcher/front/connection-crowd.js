// Counts connections of one kind by address: where they are too many, the oldest of the fullest address is closed, never the newcomer.

/**
 * @typedef {object} CrowdLimits
 * @property {number} perAddress
 * @property {number} total
 */

export class ConnectionCrowd {
  /** @type {CrowdLimits} */ #limits;
  /** @type {Map<string, Set<() => void>>} in the order in which they came */
  #byAddress = new Map();
  #size = 0;

  /** @param {CrowdLimits} limits */
  constructor(limits) {
    this.#limits = limits;
  }

  get size() {
    return this.#size;
  }

  /**
   * @param {string} key see `addressKey`
   * @param {boolean} isShared a proxy's: many clients come from there, so only the total counts
   * @param {() => void} close
   * @returns {() => void} leaves; once is enough, more do no harm
   */
  enter(key, isShared, close) {
    const { perAddress, total } = this.#limits;
    while (!isShared && (this.#byAddress.get(key)?.size ?? 0) >= perAddress) this.#closeOldest(key);
    while (this.#size >= total) this.#closeOldest(this.#fullest());
    // An own function for each: a set holds it once.
    const entry = () => close();
    const own = this.#byAddress.get(key) ?? new Set();
    this.#byAddress.set(key, own.add(entry));
    this.#size += 1;
    return () => this.#remove(key, entry);
  }

  /** @param {string} key */
  #closeOldest(key) {
    const [oldest] = this.#byAddress.get(key) ?? [];
    if (oldest === undefined) return;
    this.#remove(key, oldest);
    oldest();
  }

  /**
   * @param {string} key
   * @param {() => void} entry
   */
  #remove(key, entry) {
    const own = this.#byAddress.get(key);
    if (!own?.delete(entry)) return;
    this.#size -= 1;
    if (own.size === 0) this.#byAddress.delete(key);
  }

  /** Of at most as many addresses as there are connections. */
  #fullest() {
    let [fullest, most] = ['', 0];
    for (const [key, { size }] of this.#byAddress) if (size > most) [fullest, most] = [key, size];
    return fullest;
  }
}
