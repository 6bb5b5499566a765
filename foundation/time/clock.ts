// Time as every room sees it: a wall clock, a clock that never goes back, and timers.

export interface Clock {
  /** Milliseconds since 1970 UTC. */
  wallMs(): number;
  /** Milliseconds since some start, with fractions; never goes back. */
  monotonicMs(): number;
  /** Runs once after `ms`; the answer cancels. A timer over 24.8 days fires early: look at the clock again. */
  after(ms: number, run: () => void): () => void;
}

/** setTimeout keeps 31 bits of milliseconds; anything longer would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), TIMER_MAX_MS));
    return () => clearTimeout(timer);
  },
};
