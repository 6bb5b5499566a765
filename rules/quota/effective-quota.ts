// Effective limit of a quota: the account's own, else that of its user type, never above the ceiling.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { QUOTAS, type QuotaName, type QuotaUserType } from '@vedette/contract/quotas.ts';

export interface QuotaSettings {
  /** Of the account itself. */
  readonly own: number | null;
  /** Of its user type in this installation. */
  readonly byType: number | null;
  /** What trials that run give beyond it. */
  readonly extra?: number;
}

export interface EffectiveQuota {
  readonly limit: number;
  readonly setFor: 'account' | 'userType' | 'product';
}

/** From this share on whoever works is warned. */
const NEAR = 0.9;

export function quotaUserType(userType: number): QuotaUserType {
  if (userType === USER_TYPE.super) return 'super';
  return userType === USER_TYPE.manage ? 'manage' : 'ordinary';
}

export function effectiveQuota(quota: QuotaName, userType: number, settings: QuotaSettings): EffectiveQuota {
  const { own, byType, extra = 0 } = settings;
  const { usual, ceiling } = QUOTAS[quota];
  const within = (limit: number): number => Math.min(limit + extra, ceiling);
  if (own !== null) return { limit: within(own), setFor: 'account' };
  if (byType !== null) return { limit: within(byType), setFor: 'userType' };
  return { limit: within(usual[quotaUserType(userType)]), setFor: 'product' };
}

/** `full`: nothing more is taken. Where the limit was lowered below what there is, `used` is the larger. */
export function quotaState({ limit, used }: { limit: number; used: number }): 'free' | 'near' | 'full' {
  if (used >= limit) return 'full';
  return used >= limit * NEAR ? 'near' : 'free';
}
