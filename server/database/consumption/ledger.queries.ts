// The ledger of consumption: entries that count once however often they come, and their sums by day.
import type { MeterName } from '@vedette/contract/meters.ts';
import { MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

/** Of what has no organisation. */
export const NO_ORGANIZATION = '0';

export interface ConsumptionEntry {
  readonly source: 'traffic' | 'mail';
  /** Unique for its source and meter. */
  readonly sequence: string;
  readonly meter: MeterName;
  readonly accountId: string;
  readonly organizationId: string | null;
  readonly at: number;
  /** A safe integer. */
  readonly amount: number;
}

/** In the transaction that stores what was metered, where there is one. */
export async function addEntries(database: Database, entries: readonly ConsumptionEntry[]): Promise<void> {
  const counted = entries.filter(({ amount }) => amount > 0);
  if (counted.length === 0) return;
  await sql`
    insert into consumption_entry (source, sequence, meter, account_id, organization_id, at, amount)
    select * from unnest(${counted.map((one) => one.source)}::text[], ${counted.map((one) => one.sequence)}::text[],
      ${counted.map((one) => one.meter)}::text[], ${counted.map((one) => one.accountId)}::text[],
      ${counted.map((one) => one.organizationId ?? NO_ORGANIZATION)}::text[], ${counted.map((one) => one.at)}::bigint[],
      ${counted.map((one) => one.amount)}::numeric[])
    on conflict do nothing`.execute(database);
}

/** What recordings took at the end of an hour, for that hour; call when no measurement of it can come any more. */
export async function addRecordingHour(database: Database, hour: number): Promise<void> {
  const meter: MeterName = 'recordingByteHours';
  await sql`
    insert into consumption_entry (source, sequence, meter, account_id, organization_id, at, amount)
    select 'recordings', concat(start_time, ' ', channel_id), ${meter}::text, device.owner_id,
      coalesce(device.organization_id, ${NO_ORGANIZATION}::text), start_time, used_bytes
    from storage_statistic join channel using (channel_id) join device using (device_id)
    where grain = 'hour' and start_time = ${hour} and used_bytes > 0
    on conflict do nothing`.execute(database);
}

export interface CopiesOfSite {
  readonly siteId: string;
  /** Start of the hour that they count for. */
  readonly hour: number;
  readonly channels: readonly { readonly channelId: string; readonly storedBytes: number }[];
}

/** The first measurement of an hour counts. Channels of other sites are left out. */
export async function addCopyHour(database: Database, { siteId, hour, channels }: CopiesOfSite): Promise<void> {
  const meter: MeterName = 'copyByteHours';
  await sql`
    insert into consumption_entry (source, sequence, meter, account_id, organization_id, at, amount)
    select 'copies', concat(${hour}::bigint, ' ', channel_id), ${meter}::text, device.owner_id,
      coalesce(device.organization_id, ${NO_ORGANIZATION}::text), ${hour}::bigint, stored_bytes
    from unnest(${channels.map((one) => one.channelId)}::text[],
      ${channels.map((one) => Math.round(one.storedBytes))}::bigint[]) as measured (channel_id, stored_bytes)
      join channel using (channel_id) join device using (device_id)
    where device.site_id = ${siteId} and stored_bytes > 0
    on conflict do nothing`.execute(database);
}

/** Days begin at quarters of an hour of UTC in every zone. */
const QUARTER_MS = 15 * MINUTE_MS;

/** When entries that no day has yet were metered: quarters of an hour, ascending. */
export async function unsummedQuarters(database: Database): Promise<number[]> {
  const { rows } = await sql<{ start: number }>`
    select distinct at - at % ${QUARTER_MS}::bigint as start
    from consumption_entry where not is_summed order by start`.execute(database);
  return rows.map((row) => row.start);
}

export interface LedgerDay {
  readonly startTime: number;
  readonly endTime: number;
}

/** Adds to a day what was metered in it and no day has yet; an entry goes into one day once. */
export async function sumDay(database: Database, { startTime, endTime }: LedgerDay): Promise<void> {
  await sql`
    with taken as (
      update consumption_entry set is_summed = true where not is_summed and at >= ${startTime} and at < ${endTime}
      returning account_id, organization_id, meter, amount)
    insert into consumption_day as stored (start_time, account_id, organization_id, meter, amount)
    select ${startTime}::bigint, account_id, organization_id, meter, sum(amount) from taken group by 2, 3, 4
    on conflict (start_time, account_id, organization_id, meter)
      do update set amount = stored.amount + excluded.amount`.execute(database);
}

/** Entries whose days have them. */
export async function deleteEntriesBefore(database: Database, before: number): Promise<void> {
  await sql`delete from consumption_entry where at < ${before} and is_summed`.execute(database);
}

export async function deleteDaysBefore(database: Database, before: number): Promise<void> {
  await database.deleteFrom('consumption_day').where('start_time', '<', before).execute();
}
