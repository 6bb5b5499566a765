// Tests of how offsets from UTC are written and offered.
import { expect, it } from 'vitest';
import { utcOffsets, utcOffsetText } from './utc-offset.ts';

it.each([
  [0, 'UTC+00:00'],
  [480, 'UTC+08:00'],
  [-570, 'UTC−09:30'],
  [345, 'UTC+05:45'],
])('%i minutes east read %s', (offset, text) => expect(utcOffsetText(offset)).toBe(text));

it('offers the offsets that the device accepts, in order, and keeps the present one', () => {
  const offered = utcOffsets({ min: -720, max: 840, step: 15 }, 7);
  expect([offered[0], offered.at(-1)]).toEqual([-720, 840]);
  expect(offered).toEqual(offered.toSorted((a, b) => a - b));
  for (const offset of [7, 0, 345, 330, -210, 765]) expect(offered).toContain(offset);
  expect(new Set(offered).size).toBe(offered.length);
  expect(utcOffsets({ min: 0, max: 60 }, 30)).toEqual([0, 30, 60]);
});
