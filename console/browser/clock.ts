// The browser's wall clock and timers, the only place that reads them for code outside React components.
export interface BrowserClock {
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Runs once after the delay; the answer cancels it. */
  after(delayMs: number, run: () => void): () => void;
}

export const browserClock: BrowserClock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
