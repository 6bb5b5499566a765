// A clock for tests that moves only when told.
import type { BrowserClock } from './clock.ts';

export interface FakeClock extends BrowserClock {
  /** Lets so much time pass and runs what falls due, in order. */
  pass(durationMs: number): void;
}

export function fakeClock(start = 1_000_000): FakeClock {
  let now = start;
  let waiting: { readonly at: number; readonly run: () => void }[] = [];
  return {
    now: () => now,
    after: (delayMs, run) => {
      const entry = { at: now + delayMs, run };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    pass: (durationMs) => {
      const stop = now + durationMs;
      for (;;) {
        const next = waiting.filter(({ at }) => at <= stop).sort((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        waiting = waiting.filter((other) => other !== next);
        now = next.at;
        next.run();
      }
      now = stop;
    },
  };
}
