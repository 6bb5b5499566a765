// The sum of the last minute against a plain list of what happened.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MinuteSum } from './minute-sum.ts';

it('sums what happened in the last minute, by the second', () => {
  const steps = fc.array(fc.record({ afterMs: fc.nat({ max: 90_000 }), amount: fc.nat({ max: 100 }) }), {
    maxLength: 50,
  });
  fc.assert(
    fc.property(fc.nat({ max: 10_000_000 }), steps, (startMs, given) => {
      const sum = new MinuteSum();
      const all: { readonly second: number; readonly amount: number }[] = [];
      let now = startMs;
      for (const { afterMs, amount } of given) {
        now += afterMs;
        sum.add(now, amount);
        all.push({ second: Math.floor(now / 1000), amount });
        const kept = all.filter(({ second }) => second > Math.floor(now / 1000) - 60);
        expect(sum.of(now)).toBe(kept.reduce((total, one) => total + one.amount, 0));
      }
      expect(sum.of(now + 60_000)).toBe(0);
    }),
  );
});
