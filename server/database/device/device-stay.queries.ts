// Which sites have and had a device: there its recordings lie.
import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Database } from '../connection.ts';
import type { DeviceRow } from '../schema/schema.ts';
import type { DeviceStayRow } from '../schema/recorder-group-schema.ts';

/** Condition on `device`: the site has it, or had it before. */
export function hasRecordingsAt(siteId: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`(device.site_id = ${siteId} or exists (
    select 1 from device_stay where device_stay.device_id = device.device_id and device_stay.site_id = ${siteId}))`;
}

/** Of a site, and those that other sites took from it. */
export function devicesAt(database: Database, siteId: string): Promise<DeviceRow[]> {
  return database.selectFrom('device').selectAll().where(hasRecordingsAt(siteId)).orderBy('device_id').execute();
}

/** Oldest first; none for a device that never moved. */
export function staysOfDevice(database: Database, deviceId: string): Promise<DeviceStayRow[]> {
  return database
    .selectFrom('device_stay')
    .selectAll()
    .where('device_id', '=', deviceId)
    .orderBy('site_epoch')
    .execute();
}

/** By device that moved: since when it is where it is. */
export async function currentStays(database: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await database
    .selectFrom('device_stay')
    .select(['device_id', 'since'])
    .where('until', 'is', null)
    .execute();
  return new Map(rows.map((row) => [row.device_id, row.since]));
}

/** Stays of devices at one site. */
export function staysAt(database: Database, siteId: string, deviceIds: readonly string[]): Promise<DeviceStayRow[]> {
  return database
    .selectFrom('device_stay')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('device_id', 'in', [...deviceIds])
    .execute();
}

export interface ChannelToRecord {
  readonly channel_id: string;
  readonly record_quality: number | null;
  readonly site_id: string;
}

/** With the site that has its device. */
export function channelsToRecord(database: Database, deviceIds: readonly string[]): Promise<ChannelToRecord[]> {
  return database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select(['channel.channel_id', 'channel.record_quality', 'device.site_id'])
    .where('device.device_id', 'in', [...deviceIds])
    .where('channel.record_quality', 'is not', null)
    .execute();
}

export interface DeviceMove {
  readonly deviceId: string;
  readonly from: string;
  readonly to: string;
}

/** Those that are still where they are to be taken from; answers their ids. Must run in a transaction. */
export async function moveDevices(
  transaction: Database,
  moves: readonly DeviceMove[],
  now: number,
): Promise<readonly string[]> {
  const [ids, from, to] = [
    moves.map(({ deviceId }) => deviceId),
    moves.map((move) => move.from),
    moves.map((move) => move.to),
  ];
  const { rows } = await sql<{ device_id: string }>`
    update device set
      home_site_id = nullif(coalesce(home_site_id, device.site_id), move.to_site),
      site_id = move.to_site, site_epoch = site_epoch + 1
    from unnest(${ids}::text[], ${from}::text[], ${to}::text[]) as move (device_id, from_site, to_site)
    where device.device_id = move.device_id and device.site_id = move.from_site
    returning device.device_id`.execute(transaction);
  const moved = rows.map((row) => row.device_id);
  // A device that moves for the first time was where it came from since it was added.
  await sql`
    insert into device_stay (device_id, site_epoch, site_id, since, until)
    select device_id, 0, move.from_site, created_at, ${now}::bigint
    from device join unnest(${ids}::text[], ${from}::text[]) as move (id, from_site) on move.id = device_id
    where device_id = any(${moved}) and site_epoch = 1
    on conflict do nothing`.execute(transaction);
  await sql`
    update device_stay set until = ${now}::bigint where device_id = any(${moved}) and until is null`.execute(
    transaction,
  );
  await sql`
    insert into device_stay (device_id, site_epoch, site_id, since, until)
    select device_id, site_epoch, site_id, ${now}::bigint, null from device where device_id = any(${moved})`.execute(
    transaction,
  );
  return moved;
}
