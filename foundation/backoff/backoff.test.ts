// Tests of the backoff: doubling, limit, jitter, reset.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Backoff, backoffDelayMs } from './backoff.ts';

describe('backoffDelayMs', () => {
  it('doubles from the first delay up to the limit', () => {
    const delays = [0, 1, 2, 3, 4].map((attempt) =>
      backoffDelayMs(attempt, 0, { firstMs: 100, maxMs: 1000, jitter: 0.5 }),
    );
    expect(delays).toEqual([100, 200, 400, 800, 1000]);
  });

  it('stays between the share left by the jitter and the whole, for any attempt', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const delay = backoffDelayMs(attempt, random, { firstMs: 500, maxMs: 60_000, jitter: 0.25 });
          const whole = backoffDelayMs(attempt, 0, { firstMs: 500, maxMs: 60_000, jitter: 0.25 });
          expect(delay).toBeGreaterThanOrEqual(Math.floor(whole * 0.75));
          expect(delay).toBeLessThanOrEqual(whole);
          expect(whole).toBeLessThanOrEqual(60_000);
        },
      ),
    );
  });
});

describe('Backoff', () => {
  it('starts again from the first delay after a reset', () => {
    const backoff = new Backoff({ firstMs: 100, maxMs: 1000, jitter: 0 }, () => 0.5);
    expect([backoff.next(), backoff.next()]).toEqual([100, 200]);
    backoff.reset();
    expect(backoff.next()).toBe(100);
  });
});
