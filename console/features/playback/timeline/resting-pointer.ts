// Tells where the pointer rests over the timeline, and from then on where it goes, until it leaves.

export interface RestingPointerOptions {
  readonly onRest: (x: number, y: number) => void;
  readonly onLeave: () => void;
}

/** A pointer on its way elsewhere asks for no picture. */
const REST_MS = 150;

export class RestingPointer {
  readonly #options: RestingPointerOptions;
  #timer = 0;
  #rests = false;

  constructor(options: RestingPointerOptions) {
    this.#options = options;
  }

  /** At most one picture is asked for in the time of a rest. */
  move(x: number, y: number): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => {
      this.#rests = true;
      this.#options.onRest(x, y);
    }, REST_MS);
  }

  leave(): void {
    clearTimeout(this.#timer);
    if (!this.#rests) return;
    this.#rests = false;
    this.#options.onLeave();
  }
}
