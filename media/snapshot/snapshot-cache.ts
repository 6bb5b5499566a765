// Cache of snapshots: bounded in bytes and age; concurrent requests for the same one share its creation.

export interface SnapshotCacheOptions {
  readonly maxBytes: number;
  /** How long a snapshot stays valid; Infinity if it never changes. */
  readonly maxAgeMs: number;
  readonly monotonicMs: () => number;
}

interface CachedSnapshot<P> {
  readonly picture: P;
  readonly sinceMs: number;
}

export class SnapshotCache<P extends { readonly data: Buffer }> {
  readonly #options: SnapshotCacheOptions;
  /** Least recently used first. */
  readonly #kept = new Map<string, CachedSnapshot<P>>();
  readonly #making = new Map<string, Promise<P | null>>();
  #bytes = 0;

  constructor(options: SnapshotCacheOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Null is a valid result, but not cached. */
  take(key: string, make: () => Promise<P | null>): Promise<P | null> {
    const kept = this.#kept.get(key);
    if (kept && this.#options.monotonicMs() - kept.sinceMs <= this.#options.maxAgeMs) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return Promise.resolve(kept.picture);
    }
    const underWay = this.#making.get(key);
    if (underWay) return underWay;
    const making = make()
      .then((picture) => {
        if (picture) this.#keep(key, picture);
        return picture;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  #keep(key: string, picture: P): void {
    this.#drop(key);
    this.#kept.set(key, { picture, sinceMs: this.#options.monotonicMs() });
    this.#bytes += picture.data.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#options.maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (!kept) return;
    this.#kept.delete(key);
    this.#bytes -= kept.picture.data.length;
  }
}
