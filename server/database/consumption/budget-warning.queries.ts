// Who may be near the end of a month's quota, and which warnings were sent.
import { MONTH_QUOTA_NAMES, MONTH_QUOTAS, type MonthQuota } from '@vedette/contract/quotas.ts';
import { sql } from 'kysely';
import type { QuotaHolder } from '../account/quota.queries.ts';
import type { Database } from '../connection.ts';

/** Accounts that consumed since `monthStart` what a limit of theirs, or of their user type, counts. */
export async function limitedConsumers(database: Database, monthStart: number): Promise<readonly QuotaHolder[]> {
  const meters = Object.values(MONTH_QUOTAS);
  const quotas = [...MONTH_QUOTA_NAMES];
  const { rows } = await sql<QuotaHolder>`
    select account_id as "ownerId", user_type as "userType" from account
    where exists (select from consumption_day as spent where spent.account_id = account.account_id
        and spent.start_time >= ${monthStart} and spent.meter = any(${meters}::text[]))
      and (exists (select from quota_default where quota = any(${quotas}::text[]))
        or exists (select from account_quota as own where own.account_id = account.account_id and own.quota = any(${quotas}::text[])))`.execute(
    database,
  );
  return rows;
}

export interface SentWarning {
  readonly accountId: string;
  readonly quota: string;
  readonly percent: number;
}

/** All warnings of a month. */
export async function sentWarnings(database: Database, monthStart: number): Promise<readonly SentWarning[]> {
  return await database
    .selectFrom('budget_warning')
    .select(['account_id as accountId', 'quota', 'percent'])
    .where('month_start', '=', monthStart)
    .execute();
}

export interface BudgetUse {
  readonly accountId: string;
  readonly quota: MonthQuota;
  readonly monthStart: number;
  /** Those that are reached, of 80 and 100. */
  readonly reached: readonly number[];
  readonly now: number;
}

/** Notes what is reached, and forgets what is not any more, so that it is told when it is reached again. Answers those newly reached. */
export async function noteReached(database: Database, use: BudgetUse): Promise<readonly number[]> {
  const { accountId, quota, monthStart, reached, now } = use;
  return await database.transaction().execute(async (transaction) => {
    await sql`delete from budget_warning where account_id = ${accountId} and quota = ${quota}
      and month_start = ${monthStart} and percent <> all(${[...reached]}::integer[])`.execute(transaction);
    if (reached.length === 0) return [];
    const rows = await transaction
      .insertInto('budget_warning')
      .values(
        reached.map((percent) => ({ account_id: accountId, quota, month_start: monthStart, percent, warned_at: now })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('percent')
      .execute();
    return rows.map(({ percent }) => percent);
  });
}
