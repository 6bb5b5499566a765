// Reserves quota inside the transaction of the insert, so that parallel calls cannot exceed it together.
import { type MonthQuota, QUOTAS, type QuotaExceeded, type QuotaName } from '@vedette/contract/quotas.ts';
import { type EffectiveQuota, effectiveQuota, quotaUserType } from '@vedette/rules/quota/effective-quota.ts';
import { CallError } from '../core/call-error.ts';
import type { Database } from '../database/connection.ts';
import {
  type CountedQuota,
  countQuota,
  lockQuotas,
  type QuotaHolder,
  quotaHolder,
  storedQuotas,
} from '../database/account/quota.queries.ts';
import { runningExtras } from '../database/account/trial.queries.ts';

export interface QuotaReservation {
  /** The creator, or the owner of what is created; a sub-account uses its owner's quota. */
  readonly accountId: string;
  readonly now: number;
  /** Amount of each quota: 1 for an object, bytes for a file. */
  readonly take: Partial<Readonly<Record<CountedQuota, number>>>;
}

/**
 * Call before the insert, in the same transaction. Throws 1011 with the quota, its limit and its use. Objects above a
 * lowered limit stay.
 */
export async function reserveQuota(transaction: Database, { accountId, now, take }: QuotaReservation): Promise<void> {
  const holder = await quotaHolder(transaction, accountId);
  // The account was deleted meanwhile: the insert's foreign key fails.
  if (holder === undefined) return;
  await lockQuotas(transaction, holder.ownerId);
  await refuseOverLimit(transaction, holder, { now, take });
}

/** Unlocked check before expensive work; `takeWithin` decides. */
export async function refuseExceeded(database: Database, { accountId, now, take }: QuotaReservation): Promise<void> {
  const holder = await quotaHolder(database, accountId);
  if (holder !== undefined) await refuseOverLimit(database, holder, { now, take });
}

/** For a quota per object: throws 1011 if `count` exceeds it. */
export async function refuseItemOverLimit(
  database: Database,
  accountId: string,
  quota: Exclude<QuotaName, CountedQuota | MonthQuota>,
  count: number,
): Promise<void> {
  const holder = await quotaHolder(database, accountId);
  if (holder === undefined) return;
  const { limit } = (await limitsOf(database, holder))(quota);
  if (count > limit) throw new CallError('quotaExceeded', { quota, limit, used: count } satisfies QuotaExceeded);
}

async function refuseOverLimit(
  database: Database,
  holder: QuotaHolder,
  { now, take }: Pick<QuotaReservation, 'now' | 'take'>,
): Promise<void> {
  const limits = await limitsOf(database, holder);
  for (const [name, places = 0] of Object.entries(take)) {
    const quota = name as CountedQuota;
    const { limit } = limits(quota);
    const used = await countQuota(database, quota, { ownerId: holder.ownerId, now });
    if (used + places > limit) throw new CallError('quotaExceeded', { quota, limit, used } satisfies QuotaExceeded);
  }
}

export async function limitsOf(
  database: Database,
  { ownerId, userType }: QuotaHolder,
): Promise<(quota: QuotaName) => EffectiveQuota> {
  const [stored, extras] = await Promise.all([
    storedQuotas(database, ownerId, quotaUserType(userType)),
    runningExtras(database, ownerId),
  ]);
  return (quota) => {
    const { own = null, byType = null } = stored.get(quota) ?? {};
    return effectiveQuota(quota, userType, { own, byType, extra: extras.get(quota) ?? 0 });
  };
}

/** Transaction that reserves and works, for callers without one. */
export async function withinQuota<T>(
  database: Database,
  use: QuotaReservation,
  work: (transaction: Database) => Promise<T>,
): Promise<T> {
  return await database.transaction().execute(async (transaction) => {
    await reserveQuota(transaction, use);
    return await work(transaction);
  });
}

/** Whether a quota is summed over the account. */
export function isCounted(quota: QuotaName): quota is CountedQuota {
  return QUOTAS[quota].scope === 'account';
}
