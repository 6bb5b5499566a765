// Decides whether a tile keeps up: how long the others wait, when it catches up alone, when it gets keyframes only.
export type Pace = 'ready' | 'waiting' | 'catchingUp';

/** The others wait this long for a tile; a seek takes a fraction of it, and a lost server does not hold a wall up. */
export const WAIT_MS = 1000;
/** Waits of `TIRED_MS` together within `TIRED_WITHIN_MS` of playing, and the machine can't decode all. */
const TIRED_MS = 4000;
const TIRED_WITHIN_MS = 12_000;
/** Then all pictures are tried again: the machine may have become free. */
const THIN_FOR_MS = 20_000;

interface Wait {
  readonly endedMs: number;
  readonly forMs: number;
}

export class TilePace {
  #pace: Pace = 'ready';
  #sinceMs = 0;
  #waits: readonly Wait[] = [];
  #thinSince: number | null = null;
  /** It showed a picture since it was opened or the clock went elsewhere. */
  #hasBegun = false;

  get pace(): Pace {
    return this.#pace;
  }

  /** Shows keyframes only. */
  get isThin(): boolean {
    return this.#thinSince !== null;
  }

  waits(now: number): void {
    if (this.#pace !== 'ready') return;
    this.#pace = 'waiting';
    this.#sinceMs = now;
  }

  /** Waits for the first picture of a place are no sign of a slow machine, nor are those of a clock that stands. */
  ready(now: number, isPlaying: boolean): void {
    const isCounted = isPlaying && this.#hasBegun;
    this.#hasBegun = true;
    if (this.#pace === 'ready') return;
    this.#pace = 'ready';
    const recent = this.#waits.filter(({ endedMs }) => now - endedMs < TIRED_WITHIN_MS);
    this.#waits = isCounted ? [...recent, { endedMs: now, forMs: now - this.#sinceMs }] : recent;
    const waitedMs = this.#waits.reduce((sum, { forMs }) => sum + forMs, 0);
    if (waitedMs < TIRED_MS) return;
    this.#thinSince = now;
    this.#waits = [];
  }

  /** Time went on. `isAlone`: nobody else has a picture, so nothing is won by going on without it. */
  grow(now: number, isAlone: boolean): void {
    if (this.#thinSince !== null && now - this.#thinSince > THIN_FOR_MS) this.#thinSince = null;
    if (this.#pace !== 'waiting' || isAlone || now - this.#sinceMs < WAIT_MS) return;
    this.#pace = 'catchingUp';
    // A picture that is seconds old beside others is worse than one every few seconds.
    if (this.#hasBegun) this.#thinSince ??= now;
  }

  /** The clock went elsewhere: everybody is waited for again. */
  restart(now: number): void {
    this.#waits = [];
    this.#thinSince = null;
    this.#hasBegun = false;
    if (this.#pace === 'ready') return;
    this.#pace = 'waiting';
    this.#sinceMs = now;
  }
}
