// Tests of the address of the consumption screen: what is written is read again, and what is unknown is left out.
import { expect, it } from 'vitest';
import { type AskedCosts, isWhole, readAsked, writeAsked } from './asked-costs.ts';

const custom: AskedCosts = { range: 'custom', groupBy: 'account', startTime: 1000, endTime: 2000 };

it.each<AskedCosts>([
  custom,
  { ...custom, endTime: null },
  { range: 'lastMonth', groupBy: 'organization', startTime: null, endTime: null },
])('is read as it was written', (asked) => {
  expect(readAsked(new URLSearchParams(writeAsked(asked)))).toEqual(asked);
});

it('is this month by meter where it says nothing that is known', () => {
  const usual = { range: 'month', groupBy: 'meter', startTime: null, endTime: null };
  expect(readAsked(new URLSearchParams('?range=year&group=colour&from=soon&to=-1'))).toEqual(usual);
});

it('asks for a custom range when both ends are chosen and in order', () => {
  expect(isWhole(custom)).toBe(true);
  expect(isWhole({ ...custom, endTime: null })).toBe(false);
  expect(isWhole({ ...custom, endTime: 1000 })).toBe(false);
});
