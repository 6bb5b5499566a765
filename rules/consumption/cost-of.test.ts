// Tests of costs: a price is for the amount that its meter names.
import { expect, it } from 'vitest';
import { costOf } from './cost-of.ts';

it('is the price for what the price is for', () => {
  expect(costOf('egressBytes', String(3e9), 0.5)).toBe(1.5);
  expect(costOf('recordingByteHours', String(720n * 10n ** 15n), 0.02)).toBe(20_000);
  expect(costOf('streamMinutes', '90', 2)).toBe(3);
  expect(costOf('mails', '7', 0.001)).toBe(0.007);
});

it('is none without a price, and zero with a price of zero', () => {
  expect(costOf('mails', '7', undefined)).toBeNull();
  expect(costOf('mails', '7', 0)).toBe(0);
});
