// Reads and writes channels.
import { WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { ChannelRow, StoredStream } from '../schema/schema.ts';
import { matchesKeyWord, type SearchedName } from '../search-text.ts';

export interface NewChannel {
  readonly channelId: string;
  readonly deviceId: string;
  readonly channelNo: number;
  readonly channelName: string;
  readonly channelType: number;
  readonly streams: readonly StoredStream[];
  readonly recordQuality: number | null;
  readonly backfillFrom: number | null;
}

export async function insertChannels(database: Database, channels: readonly NewChannel[]): Promise<void> {
  if (channels.length === 0) return;
  const rows = channels.map((channel) => ({
    channel_id: channel.channelId,
    device_id: channel.deviceId,
    channel_no: channel.channelNo,
    channel_name: channel.channelName,
    channel_type: channel.channelType,
    streams: JSON.stringify(channel.streams),
    record_quality: channel.recordQuality,
    backfill_from: channel.backfillFrom,
  }));
  await database.insertInto('channel').values(rows).execute();
}

/** Channels joined with device and organisation, for conditions of auth/visible.ts. */
export function channelsWhere(database: Database, visible: RawBuilder<SqlBool>) {
  return database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .leftJoin('organization', 'organization.organization_id', 'device.organization_id')
    .where(visible);
}

export async function channelsOfDevices(
  database: Database,
  visible: RawBuilder<SqlBool>,
  deviceIds: readonly string[],
): Promise<Map<string, ChannelRow[]>> {
  if (deviceIds.length === 0) return new Map();
  const rows = await channelsWhere(database, visible)
    .selectAll('channel')
    .where('channel.device_id', 'in', [...deviceIds])
    .orderBy('channel.channel_no')
    .execute();
  return Map.groupBy(rows, (row) => row.device_id);
}

export interface ChannelNames {
  readonly deviceSerial: string;
  readonly deviceName: string;
  readonly channelNo: number;
  readonly channelName: string;
}

/** By id of the channel; those that were deleted are missing. */
export async function channelsOnSites(database: Database, deviceIds: readonly string[]) {
  if (deviceIds.length === 0) return [];
  return await database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select(['channel_id', 'channel.device_id', 'channel_no', 'site_id'])
    .where('channel.device_id', 'in', [...deviceIds])
    .execute();
}

export async function namesOfChannels(
  database: Database,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, ChannelNames>> {
  if (channelIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select(['channel_id', 'device_serial', 'device_name', 'channel_no', 'channel_name'])
    .where('channel_id', 'in', [...channelIds])
    .execute();
  return new Map(
    rows.map((row) => [
      row.channel_id,
      {
        deviceSerial: row.device_serial,
        deviceName: row.device_name,
        channelNo: row.channel_no,
        channelName: row.channel_name,
      },
    ]),
  );
}

export function findChannel(database: Database, deviceId: string, channelNo: number): Promise<ChannelRow | undefined> {
  return database
    .selectFrom('channel')
    .selectAll()
    .where('device_id', '=', deviceId)
    .where('channel_no', '=', channelNo)
    .executeTakeFirst();
}

export async function renameChannel(
  database: Database,
  deviceId: string,
  channelNo: number,
  name: string,
): Promise<void> {
  await database
    .updateTable('channel')
    .set({ channel_name: name })
    .where('device_id', '=', deviceId)
    .where('channel_no', '=', channelNo)
    .execute();
}

export function searchChannels(database: Database, visible: RawBuilder<SqlBool>, keyWord: string, isWeb: boolean) {
  const query = channelsWhere(database, visible);
  const listed = isWeb ? query.where('device.device_type', 'not in', [...WEB_HIDDEN_DEVICE_TYPES]) : query;
  return listed.where(matchesKeyWord(CHANNEL_NAME, keyWord));
}

const CHANNEL_NAME: SearchedName = {
  pairs: sql`channel.name_bigrams`,
  text: sql`channel.channel_name`,
  parts: [sql`channel.channel_name`],
};

export interface RecordedChannel extends ChannelNames {
  readonly channelId: string;
  readonly quality: number;
}

/** Channels that are to be recorded, by name; one more than `limit` where there are more. */
export async function recordedChannels(
  database: Database,
  visible: RawBuilder<SqlBool>,
  { isWeb, limit }: { readonly isWeb: boolean; readonly limit: number },
): Promise<RecordedChannel[]> {
  const query = channelsWhere(database, visible).where('channel.record_quality', 'is not', null);
  const listed = isWeb ? query.where('device.device_type', 'not in', [...WEB_HIDDEN_DEVICE_TYPES]) : query;
  return await listed
    .select([
      'channel.channel_id as channelId',
      'channel.channel_no as channelNo',
      'channel.channel_name as channelName',
      'device.device_serial as deviceSerial',
      'device.device_name as deviceName',
      sql<number>`channel.record_quality`.as('quality'),
    ])
    .orderBy('device.device_name')
    .orderBy('channel.channel_id')
    .limit(limit + 1)
    .execute();
}

/** Channels of devices that are online, of one device or at one site, of which no stream is known. */
export async function channelsWithoutStreams(
  database: Database,
  which: { readonly deviceSerial: string } | { readonly siteId: string },
): Promise<{ channel_id: string; channel_no: number; device_serial: string }[]> {
  let query = database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select(['channel.channel_id', 'channel.channel_no', 'device.device_serial'])
    .where('device.status', '=', 1)
    .where(sql<SqlBool>`channel.streams = '[]'::jsonb`);
  query =
    'siteId' in which
      ? query.where('device.site_id', '=', which.siteId)
      : query.where('device.device_serial', '=', which.deviceSerial);
  return await query.execute();
}

export async function storeStreams(
  database: Database,
  channelId: string,
  streams: readonly StoredStream[],
): Promise<void> {
  await database
    .updateTable('channel')
    .set({ streams: JSON.stringify(streams) })
    .where('channel_id', '=', channelId)
    .execute();
}

/** Recordings that the site must still remove. */
export async function requestRecordingRemoval(
  database: Database,
  deviceIds: readonly string[],
  now: number,
): Promise<void> {
  if (deviceIds.length === 0) return;
  await sql`
    insert into footage_removal (channel_id, device_serial, site_id, requested_at)
    select channel.channel_id, device.device_serial, place.site_id, ${now}
    from channel join device using (device_id)
    join lateral (
      select device.site_id union select site_id from device_stay where device_stay.device_id = device.device_id
    ) as place on true
    where device.device_id = any(${[...deviceIds]})
    on conflict do nothing`.execute(database);
}

export async function pendingRecordingRemovals(
  database: Database,
  siteId: string,
): Promise<{ channel_id: string; device_serial: string }[]> {
  return await database
    .selectFrom('footage_removal')
    .select(['channel_id', 'device_serial'])
    .where('site_id', '=', siteId)
    .execute();
}

export async function deleteRecordingRemovals(
  database: Database,
  siteId: string,
  channelIds: readonly string[],
): Promise<void> {
  if (channelIds.length === 0) return;
  await database
    .deleteFrom('footage_removal')
    .where('site_id', '=', siteId)
    .where('channel_id', 'in', [...channelIds])
    .execute();
}
