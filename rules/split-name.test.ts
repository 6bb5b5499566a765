// Names of wall splits.
import { expect, test } from 'vitest';
import { splitName } from './split-name.ts';

test.each([
  [1, '1'],
  [4, '4'],
  [6, '1+5'],
  [8, '1+7'],
  [64, '64'],
] as const)('a split of %i windows is called %s', (split, name) => expect(splitName(split)).toBe(name));
