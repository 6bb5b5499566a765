// The server's only source of time and timers; tests give another.

export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  now(): number;
  /** Monotonic milliseconds, for spans. */
  monotonic(): number;
  /** Calls back once after `delayMs`; the answer cancels. */
  after(delayMs: number, callback: () => void): () => void;
}

/** setTimeout takes 31 bits of milliseconds; longer waits are woken early and must look again. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, Math.min(Math.max(delayMs, 0), TIMER_MAX_MS));
    return () => clearTimeout(timer);
  },
};
