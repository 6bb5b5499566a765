// Staggers the opening of many tiles, so that a wall does not decode sixteen first pictures in one instant.

export interface OpeningSlot {
  /** The tile has its first picture, failed or was closed; the next one may open. Calling it twice is harmless. */
  done(): void;
}

export class OpeningQueue {
  readonly #places: number;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(options: { readonly places: number }) {
    this.#places = options.places;
  }

  /** Resolves in order of asking; rejects with the signal's reason when the tile gives up waiting. */
  async enter(signal: AbortSignal): Promise<OpeningSlot> {
    signal.throwIfAborted();
    // A place that is handed over stays counted, so that nobody slips in between.
    if (this.#busy >= this.#places) await this.#wait(signal);
    else this.#busy++;
    const slot = this.#slot();
    if (!signal.aborted) return slot;
    slot.done();
    throw signal.reason as Error;
  }

  #slot(): OpeningSlot {
    let isOpen = true;
    return {
      done: () => {
        if (!isOpen) return;
        isOpen = false;
        const next = this.#waiting.shift();
        if (next) next();
        else this.#busy--;
      },
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
