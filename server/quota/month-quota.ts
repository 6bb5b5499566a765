// Quotas of what an account consumes in a month: refused is what would be watched or sent to a CDN, never what is recorded.
import {
  isOfCdn,
  MONTH_QUOTA_NAMES,
  type MonthQuota,
  QUOTAS,
  type QuotaExceeded,
  type QuotaName,
} from '@vedette/contract/quotas.ts';
import { type Unit, unitsHolding } from '@vedette/rules/statistics/period.ts';
import { CallError } from '../core/call-error.ts';
import { quotaHolder } from '../database/account/quota.queries.ts';
import type { Database } from '../database/connection.ts';
import { monthUse } from '../database/consumption/month-use.queries.ts';
import { limitsOf } from './reserve-quota.ts';

export interface MonthCheck {
  /** Whose consumption it would be. */
  readonly accountId: string;
  readonly now: number;
  readonly timeZone: string;
  /** A stream to a CDN, which has quotas of its own; what it sends counts as sent to viewers too. */
  readonly isCdn: boolean;
}

/** Throws 1011 with the quota, its limit and its use. What already runs goes on. */
export async function refuseOverMonth(
  database: Database,
  { accountId, now, timeZone, isCdn }: MonthCheck,
): Promise<void> {
  const holder = await quotaHolder(database, accountId);
  if (holder === undefined) return;
  const limits = await limitsOf(database, holder);
  const asked = MONTH_QUOTA_NAMES.filter((quota) => isOfCdn(quota) === isCdn);
  const limited = asked.filter((quota) => limits(quota).limit < QUOTAS[quota].ceiling);
  if (limited.length === 0) return;
  const consumed = await monthUse(database, { ownerId: holder.ownerId, month: monthHolding(now, timeZone) });
  for (const quota of limited) {
    const [{ limit }, used] = [limits(quota), consumed[quota]];
    if (used >= limit) throw new CallError('quotaExceeded', { quota, limit, used } satisfies QuotaExceeded);
  }
}

export function monthHolding(now: number, timeZone: string): Unit {
  const [month] = unitsHolding('month', [now], timeZone);
  if (month === undefined) throw new Error('every instant lies in a month');
  return month;
}

export function isOfMonth(quota: QuotaName): quota is MonthQuota {
  return QUOTAS[quota].scope === 'month';
}
