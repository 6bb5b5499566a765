// Stores what the statistics are made of: changes of status, traffic as it is reported, and what recordings take.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { TrafficAmount } from '@vedette/contract/site/site-traffic.ts';
import type { ChannelUse } from '@vedette/contract/site/site-storage-use.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import { hourOf, markDue } from './statistic-due.queries.ts';

/** Their site is away: until it says what they were meanwhile, nothing is known. */
export async function insertUnknownStatus(database: Database, deviceIds: readonly string[], at: number): Promise<void> {
  if (deviceIds.length === 0) return;
  const { unknown } = DEVICE_STATUS;
  await sql`
    insert into device_status_change (device_id, at, status, reason)
    select unnest(${[...deviceIds]}::text[]), ${at}::bigint, ${unknown}::integer, null
    on conflict do nothing`.execute(database);
  await markDue(database, 'device', [at]);
}

/**
 * In the transaction that changed the status. Of two changes in one millisecond the later one counts. What was unknown
 * since is known now.
 */
export async function insertStatusChange(
  database: Database,
  { deviceId, status, reason, at }: { deviceId: string; status: number; reason: string | null; at: number },
): Promise<void> {
  await database
    .insertInto('device_status_change')
    .values({ device_id: deviceId, at, status, reason })
    .onConflict((conflict) => conflict.columns(['device_id', 'at']).doUpdateSet({ status, reason }))
    .execute();
  await database
    .deleteFrom('device_status_change')
    .where('device_id', '=', deviceId)
    .where('at', '>', at)
    .where('status', '=', DEVICE_STATUS.unknown)
    .execute();
  await markDue(database, 'device', [at]);
}

export interface CountedTraffic extends TrafficAmount {
  readonly deviceId: string;
  readonly at: number;
}

/** In the transaction that claims the reports: added to what was counted before. */
export async function addTraffic(database: Database, counted: readonly CountedTraffic[]): Promise<void> {
  if (counted.length === 0) return;
  await sql`
    insert into traffic_statistic as stored (grain, start_time, device_id, channel_no, direction, account_id, bytes)
    select 'hour', start_time, device_id, channel_no, direction, account_id, sum(bytes)
    from unnest(${counted.map(({ at }) => hourOf(at))}::bigint[], ${counted.map((one) => one.deviceId)}::text[],
      ${counted.map((one) => one.channelNo)}::integer[], ${counted.map((one) => one.direction)}::text[],
      ${counted.map((one) => one.userId)}::text[], ${counted.map((one) => one.bytes)}::bigint[])
      as new (start_time, device_id, channel_no, direction, account_id, bytes)
    group by 2, 3, 4, 5, 6
    order by 2, 3, 4, 5, 6
    on conflict (grain, start_time, device_id, channel_no, direction, account_id)
      do update set bytes = stored.bytes + excluded.bytes`.execute(database);
  await markDue(
    database,
    'traffic',
    counted.map(({ at }) => at),
  );
}

export interface MeasuredUse {
  readonly siteId: string;
  readonly uses: readonly ChannelUse[];
  readonly at: number;
}

/** Replaces what was measured before in the same hour. Channels of other sites, or removed meanwhile, are left out. */
export async function storeStorageUse(database: Database, { siteId, uses, at }: MeasuredUse): Promise<void> {
  if (uses.length === 0) return;
  await sql`
    insert into storage_statistic (grain, start_time, channel_id, used_bytes, oldest_at)
    select 'hour', ${hourOf(at)}::bigint, channel_id, used_bytes, oldest_at
    from unnest(${uses.map((one) => one.channelId)}::text[], ${uses.map((one) => Math.round(one.usedBytes))}::bigint[],
      ${uses.map((one) => one.oldestAt)}::bigint[]) as new (channel_id, used_bytes, oldest_at)
      join channel using (channel_id) join device using (device_id)
    where device.site_id = ${siteId}
    on conflict (grain, start_time, channel_id)
      do update set used_bytes = excluded.used_bytes, oldest_at = excluded.oldest_at`.execute(database);
  await markDue(database, 'storage', [at]);
}

/** What was counted under an owner is not for the next one. */
export async function forgetStatisticsOf(database: Database, deviceId: string): Promise<void> {
  await database.deleteFrom('device_statistic').where('device_id', '=', deviceId).execute();
  await database.deleteFrom('traffic_statistic').where('device_id', '=', deviceId).execute();
  await sql`
    delete from storage_statistic using channel
    where channel.channel_id = storage_statistic.channel_id and channel.device_id = ${deviceId}`.execute(database);
  await sql`
    delete from device_status_change as old using device_status_change as newer
    where old.device_id = ${deviceId} and newer.device_id = old.device_id and newer.at > old.at`.execute(database);
}
