// An instant goes to microseconds and back without becoming its neighbour.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { microseconds } from './clock-state.ts';

test('an instant in ms converts back to the exact microseconds of its frame', () => {
  const today = Date.UTC(2026, 0, 1) * 1000;
  fc.assert(
    fc.property(fc.integer({ min: today, max: today * 2 }), (us) => {
      expect(microseconds(us / 1000)).toBe(us);
    }),
  );
});
