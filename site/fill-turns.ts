// Lets a few replays run at a time and gives a place that becomes free to whoever waits with the piece wanted soonest.
import { bySooner, type Piece } from './missing-pieces.ts';

interface Waiting {
  readonly piece: Piece;
  readonly enter: () => void;
}

export class FillTurns {
  readonly #waiting = new Set<Waiting>();
  #free: number;

  constructor(places: number) {
    this.#free = places;
  }

  /** Answers how to leave; null when `signal` came first. */
  async enter(piece: Piece, signal: AbortSignal): Promise<(() => void) | null> {
    if (signal.aborted) return null;
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#turn(piece, signal))) return null;
    return () => this.#leave();
  }

  #turn(piece: Piece, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.delete(waiting);
        resolve(false);
      };
      const waiting: Waiting = {
        piece,
        enter: () => {
          signal.removeEventListener('abort', giveUp);
          resolve(true);
        },
      };
      this.#waiting.add(waiting);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** The place is handed over, not put down: whoever leaves would else take it up again before the others wake. */
  #leave(): void {
    let next: Waiting | null = null;
    for (const waiting of this.#waiting) {
      if (next === null || bySooner(waiting.piece, next.piece) < 0) next = waiting;
    }
    if (next === null) {
      this.#free += 1;
      return;
    }
    this.#waiting.delete(next);
    next.enter();
  }
}
