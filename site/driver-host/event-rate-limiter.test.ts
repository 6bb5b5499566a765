// How many events of one device pass, and that none is lost without being counted.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventRateLimiter } from './event-rate-limiter.ts';

test('property: every event passes or is counted; never more than 2,000 and fifty a second pass in any stretch of time', () => {
  const step = fc.record({ pauseMs: fc.integer({ min: 0, max: 30_000 }), events: fc.integer({ min: 0, max: 3000 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let now = 0;
      const valve = new EventRateLimiter(() => now);
      const passes: number[] = [];
      let [sent, counted] = [0, 0];
      for (const { pauseMs, events } of steps) {
        now += pauseMs;
        for (let index = 0; index < events; index += 1) {
          sent += 1;
          if (valve.pass()) passes.push(now);
          else valve.holdBack();
        }
        counted += valve.takeHeldBack();
      }
      expect(passes.length + counted).toBe(sent);
      for (const from of new Set(passes)) {
        const within = passes.filter((at) => at >= from);
        for (const to of new Set(within)) {
          const count = within.filter((at) => at <= to).length;
          // A part of an event is saved up as well.
          expect(count).toBeLessThanOrEqual(2000 + ((to - from) / 1000) * 50 + 1);
        }
      }
    }),
    { numRuns: 40 },
  );
});

test('at fifty a second everything passes for as long as it lasts', () => {
  let now = 0;
  const valve = new EventRateLimiter(() => now);
  for (let event = 0; event < 100_000; event += 1) {
    now += 20;
    expect(valve.pass()).toBe(true);
  }
  expect(valve.takeHeldBack()).toBe(0);
});
