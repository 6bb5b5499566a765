// The table of quotas is consistent, and the most specific limit applies.
import { describe, expect, it } from 'vitest';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { QUOTA_NAMES, QUOTAS } from '@vedette/contract/quotas.ts';
import { effectiveQuota, quotaState, quotaUserType } from './effective-quota.ts';

const NONE = { own: null, byType: null };

describe('[RS-05] quotas', () => {
  it.each(QUOTA_NAMES)('%s has defaults that its ceiling allows', (quota) => {
    const { usual, ceiling } = QUOTAS[quota];
    for (const limit of Object.values(usual)) {
      expect(limit).toBeGreaterThan(0);
      expect(limit).toBeLessThanOrEqual(ceiling);
    }
    expect(Number.isSafeInteger(ceiling)).toBe(true);
    expect(usual.ordinary).toBeLessThanOrEqual(usual.super);
  });

  it('takes the limit of the account, else of its user type, else of the product', () => {
    const of = (settings: { own: number | null; byType: number | null }) =>
      effectiveQuota('devices', USER_TYPE.ordinary, settings);
    expect(of({ own: 3, byType: 7 })).toEqual({ limit: 3, setFor: 'account' });
    expect(of({ own: 0, byType: 7 })).toEqual({ limit: 0, setFor: 'account' });
    expect(of({ own: null, byType: 7 })).toEqual({ limit: 7, setFor: 'userType' });
    expect(of(NONE)).toEqual({ limit: QUOTAS.devices.usual.ordinary, setFor: 'product' });
    expect(effectiveQuota('devices', USER_TYPE.background, NONE).limit).toBe(QUOTAS.devices.usual.ordinary);
    expect(effectiveQuota('channelsPerDevice', USER_TYPE.super, { own: 4096, byType: null }).limit).toBe(256);
  });

  it('[RS-04] gives what a trial adds, up to the ceiling', () => {
    const of = (own: number, extra: number) =>
      effectiveQuota('devices', USER_TYPE.ordinary, { own, byType: null, extra });
    expect(of(3, 5)).toEqual({ limit: 8, setFor: 'account' });
    expect(of(3, 0).limit).toBe(3);
    expect(of(99_999, 10_000).limit).toBe(QUOTAS.devices.ceiling);
  });

  it('warns near the limit and is full beyond it', () => {
    const states = [0, 8, 9, 10, 11].map((used) => quotaState({ limit: 10, used }));
    expect(states).toEqual(['free', 'free', 'near', 'full', 'full']);
    expect(quotaState({ limit: 0, used: 0 })).toBe('full');
  });
});

it.each([
  [USER_TYPE.super, 'super'],
  [USER_TYPE.manage, 'manage'],
  [USER_TYPE.ordinary, 'ordinary'],
  [USER_TYPE.sub, 'ordinary'],
])('accounts of type %i have the quotas of %s', (type, name) => expect(quotaUserType(type)).toBe(name));
