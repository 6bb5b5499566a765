// Tests of warnings: from four fifths of a limit on, and where all of it is used.
import { expect, it } from 'vitest';
import { shareOf, toneOf } from './use-share.ts';

it.each([
  [79, 100, 'normal'],
  [80, 100, 'warning'],
  [99, 100, 'warning'],
  [100, 100, 'danger'],
  [120, 100, 'danger'],
  [0, 0, 'danger'],
] as const)('%i of %i is %s', (used, total, tone) => {
  expect(toneOf(used, total)).toBe(tone);
});

it('a limit of zero is used up', () => {
  expect(shareOf(0, 0)).toBe(1);
});
