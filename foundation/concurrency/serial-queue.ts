// Runs tasks one after the other, in the order they were added.

export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Returns the result of `work`; a failure does not block the tasks behind it. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all tasks added so far have ended. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}
