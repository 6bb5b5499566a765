// Typed event of one module that others subscribe to: no module needs a closure over one that is constructed later.
export type Listener<T> = (value: T) => Promise<void> | void;

export class Signal<T> {
  readonly #listeners: Listener<T>[] = [];

  subscribe(listener: Listener<T>): void {
    this.#listeners.push(listener);
  }

  /** Calls every listener at once; resolves when all have, rejects with the first failure. */
  async emit(value: T): Promise<void> {
    await Promise.all(this.#listeners.map(async (listener) => listener(value)));
  }
}
