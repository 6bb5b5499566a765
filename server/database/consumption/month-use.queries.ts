// What an account consumed in a month of the meters that quotas limit.
import { MONTH_QUOTA_NAMES, MONTH_QUOTAS, type MonthQuota } from '@vedette/contract/quotas.ts';
import type { Unit } from '@vedette/rules/statistics/period.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

export interface MonthOfOwner {
  readonly ownerId: string;
  readonly month: Unit;
}

/** As far as it is summed: it lags behind by a minute. */
export async function monthUse(
  database: Database,
  { ownerId, month }: MonthOfOwner,
): Promise<Readonly<Record<MonthQuota, number>>> {
  const meters = Object.values(MONTH_QUOTAS);
  const { rows } = await sql<{ meter: string; amount: string }>`
    select meter, sum(amount)::text as amount from consumption_day
    where account_id = ${ownerId} and start_time >= ${month.startTime} and start_time < ${month.endTime}
      and meter = any(${meters}::text[])
    group by meter`.execute(database);
  const amounts = new Map(rows.map(({ meter, amount }) => [meter, Number(amount)]));
  const use = (quota: MonthQuota): number => Math.min(amounts.get(MONTH_QUOTAS[quota]) ?? 0, Number.MAX_SAFE_INTEGER);
  return Object.fromEntries(MONTH_QUOTA_NAMES.map((quota) => [quota, use(quota)])) as Record<MonthQuota, number>;
}
