// The player's only access to time and chance; tests bring their own.

export interface PlayerClock {
  /** Wall clock in ms since 1970 UTC, with fractions where the platform has them. */
  now(): number;
  /** Runs `task` once after `delayMs`; the answer cancels it. */
  after(delayMs: number, task: () => void): () => void;
  /** From 0 up to, not including, 1. */
  random(): number;
}

export const browserClock: PlayerClock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (delayMs, task) => {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
