// Tests of the forecast of the storage.
import { expect, it } from 'vitest';
import { largestBudget, storageForecast } from './storage-forecast.ts';

const GB = 1e9;
const NOW = 1_700_000_000_000;
const DAY = 86_400_000;
const storage = { usedBytes: 10 * GB, freeBytes: 59 * GB, bytesPerDay: 4 * GB };
const limits = { budgetBytes: 50 * GB, reserveBytes: 5 * GB, retentionDays: 30 };

it('counts what is used and what is free, less the reserve, as room for recordings', () => {
  expect(largestBudget(storage, 5 * GB)).toBe(64 * GB);
  expect(largestBudget(storage, 100 * GB)).toBe(0);
});

it('fills the budget at the measured rate', () => {
  expect(storageForecast(storage, limits, NOW)).toEqual({ keptDays: 12.5, fullAt: NOW + 10 * DAY });
});

it('never fills where recordings are deleted by their age before', () => {
  expect(storageForecast(storage, { ...limits, retentionDays: 12 }, NOW)).toEqual({ keptDays: 12, fullAt: null });
});

it('is limited by the disk where the budget is larger', () => {
  const tooLarge = { ...limits, budgetBytes: 100_000 * GB };
  expect(storageForecast(storage, tooLarge, NOW)).toEqual({ keptDays: 16, fullAt: NOW + 13.5 * DAY });
});

it('is full now where more is used than fits, and unknown while nothing is recorded', () => {
  expect(storageForecast(storage, { ...limits, budgetBytes: GB }, NOW)).toEqual({ keptDays: 0.25, fullAt: NOW });
  expect(storageForecast({ ...storage, bytesPerDay: null }, limits, NOW)).toBeNull();
  expect(storageForecast({ ...storage, bytesPerDay: 0 }, limits, NOW)).toBeNull();
});
