// Reads consumption summed over days, and reads and replaces prices.
import type { CostGroup, PriceTable } from '@vedette/contract/calls/cost.ts';
import type { MeterName } from '@vedette/contract/meters.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';

export interface CostScope {
  readonly startTime: number;
  readonly endTime: number;
  /** Null: of all accounts. */
  readonly accountId: string | null;
  readonly organizationId?: string | undefined;
}

export interface GroupSum {
  readonly key: string;
  readonly name: string;
  readonly meter: MeterName;
  /** Decimal digits. */
  readonly amount: string;
}

const KEYS: Readonly<Record<CostGroup, { readonly key: RawBuilder<unknown>; readonly name: RawBuilder<unknown> }>> = {
  account: {
    key: sql`account_id`,
    name: sql`(select user_name from account where account.account_id = summed.key)`,
  },
  organization: {
    key: sql`organization_id`,
    name: sql`(select organization_name from organization where organization.organization_id = summed.key)`,
  },
  meter: { key: sql`meter`, name: sql`''` },
};

export async function consumptionBy(database: Database, scope: CostScope, group: CostGroup): Promise<GroupSum[]> {
  const { key, name } = KEYS[group];
  const { rows } = await sql<GroupSum>`
    with summed as (
      select ${key} as key, meter, sum(amount) as amount from consumption_day where ${isWithin(scope)} group by 1, 2)
    select key, coalesce(${name}, '') as name, meter, amount::text from summed`.execute(database);
  return rows;
}

export interface DaySum {
  readonly startTime: number;
  readonly meter: MeterName;
  readonly amount: string;
}

export async function consumptionByDay(database: Database, scope: CostScope): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`
    select start_time as "startTime", meter, sum(amount)::text as amount from consumption_day
    where ${isWithin(scope)} group by 1, 2 order by 1, 2`.execute(database);
  return rows;
}

function isWithin({ startTime, endTime, accountId, organizationId }: CostScope): RawBuilder<SqlBool> {
  const ofAccount = accountId === null ? sql`true` : sql`account_id = ${accountId}`;
  const ofOrganization = organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`;
  return sql<SqlBool>`start_time >= ${startTime} and start_time < ${endTime} and ${ofAccount} and ${ofOrganization}`;
}

/** Null where no meter has a price. */
export async function readPrices(database: Database): Promise<PriceTable | null> {
  const rows = await database.selectFrom('meter_price').selectAll().orderBy('meter').execute();
  const [first] = rows;
  if (first === undefined) return null;
  return {
    currency: first.currency,
    priceList: rows.map(({ meter, price }) => ({ meter: meter as MeterName, price })),
  };
}

export async function replacePrices(database: Database, prices: PriceTable | null): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    // Two tables that are saved at once are not mixed.
    await sql`lock table meter_price in share row exclusive mode`.execute(transaction);
    await transaction.deleteFrom('meter_price').execute();
    if (prices === null || prices.priceList.length === 0) return;
    const { currency, priceList } = prices;
    await transaction
      .insertInto('meter_price')
      .values(priceList.map((one) => ({ ...one, currency })))
      .execute();
  });
}
