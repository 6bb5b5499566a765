// Time as the media engine sees it: one wall clock, one clock that never goes back, and timers on it.

export interface Clock {
  /** Milliseconds since 1970 UTC. */
  wallMs(): number;
  /** Milliseconds since some start, never going back. */
  monotonicMs(): number;
  /** Runs once after `ms`; the answer cancels it. */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
