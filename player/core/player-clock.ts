// The player's clock, timers and randomness; tests bring their own.
import { type Clock, systemClock } from '@vedette/foundation/time/clock.ts';

export interface PlayerClock extends Clock {
  /** In [0, 1). */
  random(): number;
}

export const playerClock: PlayerClock = {
  ...systemClock,
  /** With fractions, unlike Date.now(): frames are compared by less than a millisecond. */
  wallMs: () => performance.timeOrigin + performance.now(),
  random: () => Math.random(),
};
