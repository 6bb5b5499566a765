// Reads many sockets in rounds: what came for any of them meanwhile is taken in one turn of the loop, in fewer and larger pieces.
import type { Clock } from '@vedette/foundation/time/clock.ts';

type TimerClock = Pick<Clock, 'after'>;

/** So long bytes may lie with the system: five pictures of most cameras, and a fraction of what a recording may lose. */
export const ROUND_MS = 200;

export class ReadRounds {
  static readonly #rounds = new WeakMap<TimerClock, ReadRounds>();
  readonly #clock: TimerClock;
  #waiting: (() => void)[] = [];

  /** One for all connections of a clock: that they share it is the point. */
  static of(clock: TimerClock): ReadRounds {
    const known = ReadRounds.#rounds.get(clock);
    if (known) return known;
    const made = new ReadRounds(clock);
    ReadRounds.#rounds.set(clock, made);
    return made;
  }

  constructor(clock: TimerClock) {
    this.#clock = clock;
  }

  /** Runs `read` once, with the next round. */
  join(read: () => void): void {
    this.#waiting.push(read);
    if (this.#waiting.length > 1) return;
    this.#clock.after(ROUND_MS, () => {
      const due = this.#waiting;
      this.#waiting = [];
      for (const one of due) one();
    });
  }
}
