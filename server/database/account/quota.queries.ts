// Reads and writes quota limits set by the operator, and counts the objects of an account and its sub-accounts.
import { QUOTAS, type QuotaName, type QuotaUserType } from '@vedette/contract/quotas.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection.ts';

export interface QuotaHolder {
  readonly ownerId: string;
  readonly userType: number;
}

/** A sub-account counts against its owner. Undefined if the account is deleted. */
export async function quotaHolder(database: Database, accountId: string): Promise<QuotaHolder | undefined> {
  const row = await database
    .selectFrom('account')
    .innerJoin('account as holder', (join) =>
      join.on('holder.account_id', '=', sql<string>`coalesce(account.owner_id, account.account_id)`),
    )
    .select(['holder.account_id', 'holder.user_type'])
    .where('account.account_id', '=', accountId)
    .executeTakeFirst();
  return row && { ownerId: row.account_id, userType: row.user_type };
}

export interface StoredQuota {
  readonly quota: string;
  readonly own: number | null;
  readonly byType: number | null;
}

/** Limits set for the account and its user type; others are omitted. */
export async function storedQuotas(
  database: Database,
  ownerId: string,
  userType: QuotaUserType,
): Promise<ReadonlyMap<string, StoredQuota>> {
  const rows = await sql<StoredQuota>`
    select quota, min(most) filter (where is_own) as own, min(most) filter (where not is_own) as "byType" from (
      select quota, most, true as is_own from account_quota where account_id = ${ownerId}
      union all
      select quota, most, false from quota_default where user_type = ${userType}
    ) as stored group by quota`.execute(database);
  return new Map(rows.rows.map((row) => [row.quota, row]));
}

export async function storedDefaults(
  database: Database,
): Promise<{ readonly quota: string; readonly user_type: string; readonly most: number }[]> {
  return await database.selectFrom('quota_default').selectAll().execute();
}

export type QuotaTarget = { readonly ownerId: string } | { readonly userType: QuotaUserType };

/** Null deletes the limit. */
export async function storeQuota(
  database: Database,
  target: QuotaTarget,
  quota: QuotaName,
  most: number | null,
): Promise<void> {
  if ('ownerId' in target) {
    const { ownerId } = target;
    await sql`delete from account_quota where account_id = ${ownerId} and quota = ${quota}`.execute(database);
    if (most !== null)
      await database.insertInto('account_quota').values({ account_id: ownerId, quota, most }).execute();
    return;
  }
  const { userType } = target;
  await sql`delete from quota_default where user_type = ${userType} and quota = ${quota}`.execute(database);
  if (most !== null) await database.insertInto('quota_default').values({ user_type: userType, quota, most }).execute();
}

/** Quotas counted over the account in tables. */
export type CountedQuota = {
  [Q in QuotaName]: (typeof QUOTAS)[Q]['scope'] extends 'account' ? Q : never;
}[QuotaName];

interface CountScope {
  readonly ownerId: string;
  readonly now: number;
}

/** The account and its sub-accounts. */
const accountsOfOwner = (ownerId: string): RawBuilder<unknown> =>
  sql`select account_id from account where account_id = ${ownerId} or owner_id = ${ownerId}`;

const madeBy = (table: string, maker: string) =>
  function ofHousehold({ ownerId }: CountScope): RawBuilder<unknown> {
    return sql`select count(*) from ${sql.table(table)} where ${sql.ref(maker)} in (${accountsOfOwner(ownerId)})`;
  };
const ownedBy = (table: string) =>
  function ofOwner({ ownerId }: CountScope): RawBuilder<unknown> {
    return sql`select count(*) from ${sql.table(table)} where owner_id = ${ownerId}`;
  };

const COUNTS: { readonly [Q in CountedQuota]: (whose: CountScope) => RawBuilder<unknown> } = {
  devices: ownedBy('device'),
  channels: ({ ownerId }) =>
    sql`select count(*) from channel join device using (device_id) where device.owner_id = ${ownerId}`,
  organizations: ownedBy('organization'),
  groups: ownedBy('device_group'),
  roles: ownedBy('role'),
  subAccounts: ownedBy('account'),
  invitations: ({ ownerId, now }) =>
    sql`select count(*) from invitation where created_by in (${accountsOfOwner(ownerId)}) and expires_at > ${now}`,
  layouts: madeBy('layout', 'creator_id'),
  floorPlans: ({ ownerId }) =>
    sql`select count(*) from floor_plan join organization using (organization_id) where organization.owner_id = ${ownerId}`,
  shares: madeBy('share', 'owner_id'),
  links: ({ ownerId }) =>
    sql`select count(*) from share_link where owner_id in (${accountsOfOwner(ownerId)}) and revoked_at is null`,
  transfers: ({ ownerId, now }) =>
    sql`select count(*) from device_transfer where giver_id = ${ownerId} and end_time > ${now}`,
  locks: ({ ownerId }) =>
    sql`select count(*) from footage_lock join channel using (channel_id) join device using (device_id)
      where device.owner_id = ${ownerId} and not footage_lock.by_share`,
  sharedLocks: ({ ownerId }) =>
    sql`select count(*) from footage_lock where created_by in (${accountsOfOwner(ownerId)}) and by_share`,
  bookmarks: madeBy('bookmark', 'created_by'),
  exports: ({ ownerId }) =>
    sql`select count(*) from export_task where account_id in (${accountsOfOwner(ownerId)}) and state in ('queued', 'running')`,
  alarmRules: madeBy('alarm_rule', 'account_id'),
  messageChannels: madeBy('alarm_channel', 'account_id'),
  ingestKeys: madeBy('ingest_key', 'account_id'),
  analysisTasks: ({ ownerId }) =>
    sql`select count(*) from analysis_task join channel using (channel_id) join device using (device_id)
      where device.owner_id = ${ownerId}`,
  firmwarePackages: ownedBy('firmware_package'),
  firmwareBytes: ({ ownerId }) =>
    sql`select coalesce(sum(size_bytes), 0) from firmware_package where owner_id = ${ownerId}`,
};

export async function countQuota(database: Database, quota: CountedQuota, whose: CountScope): Promise<number> {
  const { rows } = await sql<{ used: number }>`select (${COUNTS[quota](whose)})::bigint as used`.execute(database);
  return rows[0]?.used ?? 0;
}

export async function countQuotas(
  database: Database,
  whose: CountScope,
): Promise<Readonly<Record<CountedQuota, number>>> {
  const names = Object.keys(COUNTS) as CountedQuota[];
  const columns = names.map((name) => sql`(${COUNTS[name](whose)})::bigint as ${sql.ref(name)}`);
  const { rows } = await sql<Record<CountedQuota, number>>`select ${sql.join(columns)}`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('a select without a table answers one row');
  return row;
}

/** First key of quota locks; the second is the account. */
const QUOTA_LOCKS = 7184;

/** Held until the transaction ends, so that concurrent inserts for one account count each other. */
export async function lockQuotas(transaction: Database, ownerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${QUOTA_LOCKS}, hashtext(${ownerId}))`.execute(transaction);
}
