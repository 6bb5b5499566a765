// Clocks of all rooms: wall clock, monotonic clock, and timers.

export interface Clock {
  /** Milliseconds since 1970 UTC. */
  wallMs(): number;
  /** Monotonic milliseconds since an arbitrary start, with fractions. */
  monotonicMs(): number;
  /** Runs once after `ms`; returns its cancel function. Timers over 24.8 days fire early: check the clock again. */
  after(ms: number, run: () => void): () => void;
}

/** setTimeout keeps 31 bits of milliseconds; longer timers would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), TIMER_MAX_MS));
    return () => clearTimeout(timer);
  },
};
