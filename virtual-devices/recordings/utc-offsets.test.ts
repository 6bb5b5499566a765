// Proves that a list of changes tells local time as the function did.
import { expect, test } from 'vitest';
import { utcOffsetsWithin, utcOffsetIn } from './utc-offsets.ts';

const CHANGE = Date.parse('2026-10-25T01:00:00Z');
const summer = (utcMs: number) => (utcMs < CHANGE ? 7_200_000 : 3_600_000);

test('a day with a clock change has two entries and converts every instant correctly', () => {
  const span = { from: CHANGE - 43_200_500, to: CHANGE + 43_200_000 };
  const list = utcOffsetsWithin(span, summer);
  expect(list.map(({ offsetMs }) => offsetMs)).toEqual([7_200_000, 3_600_000]);
  for (const at of [span.from, CHANGE - 1, CHANGE, span.to]) expect(utcOffsetIn(list, at)).toBe(summer(at));
  expect(utcOffsetIn(list, span.from - 10_000_000)).toBe(7_200_000);
});
