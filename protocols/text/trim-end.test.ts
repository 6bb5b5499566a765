// Tests of taking characters off the end of a text.
import { expect, test } from 'vitest';
import { trimEndOf, withoutEndSlashes } from './trim-end.ts';

test('trims all unwanted characters at the end only', () => {
  expect(trimEndOf('a b \0 ', (unit) => unit === ' ' || unit === '\0')).toBe('a b');
  expect(withoutEndSlashes('/a//b///')).toBe('/a//b');
  expect([withoutEndSlashes('///'), withoutEndSlashes(''), withoutEndSlashes('a')]).toEqual(['', '', 'a']);
});
