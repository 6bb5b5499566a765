// What a verification of the audit log is shown as: the worst that it found, and whether all is well.
import { pack } from '@vedette/phrases/en/pack.ts';
import { translator } from '@vedette/phrases/translate.ts';
import { expect, it } from 'vitest';
import { isIntact, verdictText } from './audit-verdict.ts';

const t = translator('en', pack);
const WHOLE = { isWhole: true, total: 90, brokenAt: null, head: '', unchained: 0, unchainedForMs: 0, missing: 0 };

it.each([
  [{}, true, 'The log is intact: 90 entries.'],
  [{ unchained: 3, unchainedForMs: 900 }, true, 'newest 3 are not protected'],
  [{ unchained: 3, unchainedForMs: 60_000 }, false, '3 entries have not been protected'],
  [{ missing: 2, unchained: 3, unchainedForMs: 60_000 }, false, '2 entries are missing'],
  [{ isWhole: false, brokenAt: 7, missing: 2 }, false, 'tampered with at entry 7'],
])('%j', (found, isGood, words) => {
  expect(isIntact({ ...WHOLE, ...found })).toBe(isGood);
  expect(verdictText(t, { ...WHOLE, ...found })).toContain(words);
});
