// The player's clock, timers and randomness; tests bring their own.
import { type Clock, systemClock } from '@vedette/foundation/time/clock.ts';

export interface PlayerClock extends Clock {
  /** From 0 up to, not including, 1. */
  random(): number;
}

export const playerClock: PlayerClock = {
  ...systemClock,
  /** With fractions, which Date.now() has not: what is on the screen is compared by less than a millisecond. */
  wallMs: () => performance.timeOrigin + performance.now(),
  random: () => Math.random(),
};
