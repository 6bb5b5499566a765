// Durations as devices write them.
import { expect, test } from 'vitest';
import { readDurationMs, writeDuration } from './duration.ts';

test('durations are read in every form that devices use, and written as seconds', () => {
  const rows = [
    ['PT0S', 0],
    ['PT1.5S', 1500],
    ['PT1M', 60_000],
    ['PT1H2M3S', 3_723_000],
    ['P1DT1S', 86_401_000],
    ['PT1093754.348S', 1_093_754_348],
    ['PT', null],
    ['10', null],
    ['', null],
    [undefined, null],
  ] as const;
  for (const [text, ms] of rows) expect([text, readDurationMs(text)]).toEqual([text, ms]);
  expect(writeDuration(1500)).toBe('PT1.5S');
});
