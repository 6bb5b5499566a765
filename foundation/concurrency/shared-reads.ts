// Shares reads by key: whoever asks while one runs gets the next, which begins after they asked and serves all who wait.

interface Reads<V> {
  readonly running: Promise<V>;
  next: Promise<V> | null;
}

export class SharedReads<V> {
  readonly #byKey = new Map<string, Reads<V>>();

  /** What `load` gives, begun no earlier than now; of several that wait for one key the first gives the `load`. A failure is told to all of them. */
  read(key: string, load: () => Promise<V>): Promise<V> {
    const reads = this.#byKey.get(key);
    if (reads === undefined) return this.#start(key, load);
    reads.next ??= reads.running.then(
      () => this.#start(key, load),
      () => this.#start(key, load),
    );
    return reads.next;
  }

  #start(key: string, load: () => Promise<V>): Promise<V> {
    const reads: Reads<V> = { running: load(), next: null };
    this.#byKey.set(key, reads);
    const forget = (): void => {
      if (reads.next === null) this.#byKey.delete(key);
    };
    reads.running.then(forget, forget);
    return reads.running;
  }
}
