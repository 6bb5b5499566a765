// Tests of typed limits: bytes in gigabytes, what was changed alone, and what exceeds the ceiling.
import { QUOTAS } from '@vedette/contract/quotas.ts';
import { expect, it } from 'vitest';
import { changedLimits, isUnlimited, isWrongLimit, typedLimit } from './quota-draft.ts';
import type { HeldQuota } from './quota.query.ts';

const devices: HeldQuota = { quota: 'devices', unit: 'count', limit: 500, used: 3, isOwn: false };
const egress: HeldQuota = { quota: 'monthEgressBytes', unit: 'bytes', limit: 2_500_000_000, used: 0, isOwn: true };

it('shows limits of its own, bytes in gigabytes, and nothing of a wider one', () => {
  expect(typedLimit(egress, {})).toBe(2.5);
  expect(typedLimit(devices, {})).toBeNull();
  expect(typedLimit(egress, { monthEgressBytes: null })).toBeNull();
});

it('sends what was changed alone', () => {
  expect(changedLimits([devices, egress], {})).toEqual([]);
  expect(changedLimits([devices, egress], { devices: null, monthEgressBytes: 0.0015 })).toEqual([
    { quota: 'devices', limit: null },
    { quota: 'monthEgressBytes', limit: 1_500_000 },
  ]);
});

it('refuses what is negative or exceeds the ceiling', () => {
  expect(isWrongLimit(devices, QUOTAS.devices.ceiling)).toBe(false);
  expect(isWrongLimit(devices, QUOTAS.devices.ceiling + 1)).toBe(true);
  expect(isWrongLimit(egress, 1_000_001)).toBe(true);
  expect(isWrongLimit(devices, -1)).toBe(true);
  expect(isWrongLimit(devices, null)).toBe(false);
});

it('takes a month at its ceiling for unlimited, and nothing else', () => {
  expect(isUnlimited({ ...egress, limit: QUOTAS.monthEgressBytes.ceiling })).toBe(true);
  expect(isUnlimited(egress)).toBe(false);
  expect(isUnlimited({ ...devices, limit: QUOTAS.devices.ceiling })).toBe(false);
});
