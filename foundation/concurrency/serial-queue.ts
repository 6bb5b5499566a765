// Runs pieces of work one after the other, in the order they were given.

export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Answers what `work` answers; a failure holds up nothing behind it. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => undefined);
    return done;
  }

  /** Resolves when everything given so far has ended. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}
