// Whether a tile keeps up: for how long the others wait for it, when it is left to catch up, when it is given key pictures only.
export type Pace = 'ready' | 'waiting' | 'catchingUp';

/** The others wait this long for a tile; measured: a seek takes a fraction of it, a lost server does not hold a wall up. */
export const WAIT_MS = 1000;
/** So many waits within `TIRED_WITHIN_MS` of playing and the machine can't decode all. */
const TIRED_AFTER = 3;
const TIRED_WITHIN_MS = 12_000;

export class TilePace {
  #pace: Pace = 'ready';
  #sinceMs = 0;
  #waits: number[] = [];
  #isThin = false;

  get pace(): Pace {
    return this.#pace;
  }

  /** Shows key pictures only until the next seek or change of speed. */
  get isThin(): boolean {
    return this.#isThin;
  }

  waits(now: number): void {
    if (this.#pace !== 'ready') return;
    this.#pace = 'waiting';
    this.#sinceMs = now;
  }

  /** `isCounted`: while playing on; waits after a seek are no sign of a slow machine. */
  ready(now: number, isCounted: boolean): void {
    if (this.#pace !== 'ready' && isCounted) this.#waits = [...this.#waits, now];
    this.#waits = this.#waits.filter((at) => now - at < TIRED_WITHIN_MS);
    this.#pace = 'ready';
    if (this.#waits.length >= TIRED_AFTER) this.#isThin = true;
  }

  /** `isAlone`: nobody else waits, so nothing is won by going on without it. */
  grow(now: number, isAlone: boolean): void {
    if (this.#pace === 'waiting' && !isAlone && now - this.#sinceMs >= WAIT_MS) this.#pace = 'catchingUp';
  }

  /** The clock went elsewhere: everybody is waited for again. */
  restart(now: number): void {
    this.#waits = [];
    this.#isThin = false;
    if (this.#pace === 'ready') return;
    this.#pace = 'waiting';
    this.#sinceMs = now;
  }
}
