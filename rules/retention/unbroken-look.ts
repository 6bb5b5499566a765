// Which minutes a channel was looked at from beginning to end, told tick by tick. Pure.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { minuteOf } from './seen-minutes.ts';

/** Whoever says nothing for longer did not look. */
const PAUSE_MS = 3000;

export class UnbrokenLook {
  #classes: ReadonlySet<ObjectClass> | null = null;
  #lastMs = Number.NEGATIVE_INFINITY;
  /** First minute that was looked at from its beginning and is not told yet. */
  #next = 0;

  /**
   * @param nowMs of the wall clock: one that is set begins a new look
   * @param classes that are looked for, the same set as long as they stay the same; null: nobody looks
   * @returns minutes that have ended since the last tick and were looked at all the time
   */
  tick(nowMs: number, classes: ReadonlySet<ObjectClass> | null): readonly number[] {
    const sinceMs = nowMs - this.#lastMs;
    const goesOn = classes !== null && classes === this.#classes && sinceMs >= 0 && sinceMs <= PAUSE_MS;
    this.#classes = classes;
    this.#lastMs = nowMs;
    if (!goesOn) {
      this.#next = Math.ceil(nowMs / MINUTE_MS);
      return [];
    }
    const ended: number[] = [];
    for (; this.#next < minuteOf(nowMs); this.#next += 1) ended.push(this.#next);
    return ended;
  }
}
