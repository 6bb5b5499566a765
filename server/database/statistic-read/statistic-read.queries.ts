// Reads statistics of what the caller may see: the course over the units of a period and the one before, and sums of both by device or channel.
import { DEVICE_TYPE, WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { TrafficDirection } from '@vedette/contract/site/site-traffic.ts';
import type { Grain } from '@vedette/rules/statistics/period.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels, visibleDevices } from '../../auth/visibility-conditions.ts';
import type { Database } from '../connection.ts';

export interface StatisticWindow {
  readonly grain: Grain;
  readonly startTime: number;
  readonly endTime: number;
  readonly beforeStart: number;
}

export interface StatisticReader {
  readonly database: Database;
  readonly rights: Rights;
  /** Hides from browsers what PM-05 excludes. */
  readonly isWeb: boolean;
  readonly window: StatisticWindow;
}

export interface NamedDevice {
  readonly deviceId: string;
  readonly deviceSerial: string;
  readonly deviceName: string;
  readonly deviceType: number;
  readonly organizationId: string;
  readonly organizationName: string;
}

export async function namedDevices({ database, rights, isWeb }: StatisticReader): Promise<NamedDevice[]> {
  const { rows } = await sql<NamedDevice>`
    select device.device_id as "deviceId", device.device_serial as "deviceSerial", device.device_name as "deviceName",
      device.device_type as "deviceType", coalesce(device.organization_id, '0') as "organizationId",
      coalesce(organization.organization_name, '') as "organizationName"
    from device left join organization using (organization_id)
    where ${visibleDevices(rights, null)} and ${isShown(isWeb)}`.execute(database);
  return rows;
}

export interface DeviceCourse {
  readonly startTime: number;
  readonly onlineMs: number;
  /** Online and offline. */
  readonly knownMs: number;
  readonly outages: number;
}

export async function deviceCourse(reader: StatisticReader): Promise<DeviceCourse[]> {
  const { rows } = await sql<DeviceCourse>`
    with mine as materialized (${deviceIds(reader)})
    select start_time as "startTime", coalesce(sum(lasted_ms) filter (where state = 'online'), 0)::bigint as "onlineMs",
      coalesce(sum(lasted_ms) filter (where state <> 'unknown'), 0)::bigint as "knownMs",
      coalesce(sum(begun) filter (where state not in ('online', 'unknown')), 0)::bigint as outages
    from device_statistic join mine using (device_id)
    where ${isWithin(reader)} group by start_time`.execute(reader.database);
  return rows;
}

export interface DeviceSum {
  readonly deviceId: string;
  /** `online`, `unknown` or the reason why it was offline. */
  readonly state: string;
  readonly isBefore: boolean;
  readonly lastedMs: number;
}

export async function deviceSums(reader: StatisticReader): Promise<DeviceSum[]> {
  const { rows } = await sql<DeviceSum>`
    with mine as materialized (${deviceIds(reader)})
    select device_id as "deviceId", state, start_time < ${reader.window.startTime} as "isBefore",
      sum(lasted_ms)::bigint as "lastedMs"
    from device_statistic join mine using (device_id)
    where ${isWithin(reader)} group by 1, 2, 3`.execute(reader.database);
  return rows;
}

export interface AlarmSum {
  readonly raised: number;
  readonly acknowledged: number;
  readonly acknowledgeMs: number;
}

/** Of the whole period, or of the one before. */
interface AlarmTotal extends AlarmSum {
  readonly isBefore: boolean;
}

export interface AlarmTotals {
  readonly course: readonly (AlarmSum & { readonly startTime: number })[];
  readonly byType: readonly (AlarmTotal & { readonly type: string })[];
  readonly byDevice: readonly (AlarmTotal & { readonly deviceSerial: string; readonly deviceName: string })[];
}

type AlarmTotalRow = AlarmTotal & {
  readonly startTime: number | null;
  readonly type: string | null;
  readonly deviceSerial: string | null;
  readonly deviceName: string | null;
};

/** All three from one reading: of a year of a thousand cameras there are a hundred thousand rows. */
export async function alarmTotals(reader: StatisticReader): Promise<AlarmTotals> {
  const { rows } = await sql<AlarmTotalRow>`
    with mine as materialized (${alarmPlaces(reader)}), own as (
      select start_time, type, device_id, start_time < ${reader.window.startTime} as is_before, raised, acknowledged, acknowledge_ms
      from alarm_statistic join mine using (device_id)
      where ${IS_OWN_ALARM} and ${isWithin(reader)}
    ), total as (
      select start_time, type, device_id, is_before, sum(raised)::bigint as raised,
        sum(acknowledged)::bigint as acknowledged, sum(acknowledge_ms)::bigint as "acknowledgeMs"
      from own group by grouping sets ((start_time), (type, is_before), (device_id, is_before)))
    select start_time as "startTime", type, device_serial as "deviceSerial", device_name as "deviceName",
      is_before as "isBefore", raised, acknowledged, "acknowledgeMs"
    from total left join device using (device_id)`.execute(reader.database);
  return {
    course: rows.flatMap(({ startTime, ...row }) => (startTime === null ? [] : [{ ...row, startTime }])),
    byType: rows.flatMap(({ type, ...row }) => (type === null ? [] : [{ ...row, type }])),
    byDevice: rows.flatMap(({ deviceSerial, deviceName, ...row }) =>
      deviceSerial === null || deviceName === null ? [] : [{ ...row, deviceSerial, deviceName }],
    ),
  };
}

/** Of the period alone, by hours. */
export async function alarmsByHour(reader: StatisticReader): Promise<{ startTime: number; raised: number }[]> {
  const { startTime, endTime } = reader.window;
  const { rows } = await sql<{ startTime: number; raised: number }>`
    with mine as materialized (${alarmPlaces(reader)})
    select start_time as "startTime", sum(raised)::bigint as raised
    from alarm_statistic join mine using (device_id)
    where ${IS_OWN_ALARM} and grain = 'hour' and start_time >= ${startTime} and start_time < ${endTime}
    group by start_time`.execute(reader.database);
  return rows;
}

export async function storageCourse(reader: StatisticReader): Promise<{ startTime: number; usedBytes: number }[]> {
  const { rows } = await sql<{ startTime: number; usedBytes: number }>`
    with mine as materialized (${channels(reader, 'Replay')})
    select start_time as "startTime", sum(used_bytes)::bigint as "usedBytes"
    from storage_statistic join mine using (channel_id)
    where ${isWithin(reader)} group by start_time`.execute(reader.database);
  return rows;
}

export interface NamedChannel {
  readonly deviceSerial: string;
  readonly channelNo: number;
  readonly channelName: string;
}

export interface ChannelStorage extends NamedChannel {
  readonly isBefore: boolean;
  readonly startTime: number;
  readonly usedBytes: number;
  readonly oldestAt: number;
}

/** The newest of each channel in the period, and in the one before. */
export async function channelStorage(reader: StatisticReader): Promise<ChannelStorage[]> {
  const { rows } = await sql<ChannelStorage>`
    with mine as materialized (${channels(reader, 'Replay')}), measured as (
      select channel_id, start_time, used_bytes, oldest_at, start_time < ${reader.window.startTime} as is_before
      from storage_statistic join mine using (channel_id)
      where ${isWithin(reader)}
    ), newest as (
      select distinct on (channel_id, is_before) channel_id, is_before as "isBefore", start_time as "startTime",
        used_bytes as "usedBytes", oldest_at as "oldestAt"
      from measured order by channel_id, is_before, start_time desc)
    select ${CHANNEL_NAMES}, newest.* from newest join channel using (channel_id) join device using (device_id)`.execute(
    reader.database,
  );
  return rows;
}

export interface TrafficCourse {
  readonly startTime: number;
  readonly direction: TrafficDirection;
  readonly bytes: number;
}

export async function trafficCourse(reader: StatisticReader): Promise<TrafficCourse[]> {
  const { rows } = await sql<TrafficCourse>`
    with mine as materialized (${channelsByDevice(reader, 'Realplay')})
    select start_time as "startTime", direction, sum(bytes)::bigint as bytes
    from traffic_statistic join mine using (device_id)
    where ${IS_SEEN_CHANNEL} and ${isWithin(reader)} group by 1, 2`.execute(reader.database);
  return rows;
}

export interface ChannelTraffic extends NamedChannel {
  readonly isBefore: boolean;
  readonly bytes: number;
}

/** Received and sent; what is relayed is received once more. */
export async function channelTraffic(reader: StatisticReader): Promise<ChannelTraffic[]> {
  const { rows } = await sql<ChannelTraffic>`
    with mine as materialized (${channelsByDevice(reader, 'Realplay')}), summed as (
      select device_id, channel_no, start_time < ${reader.window.startTime} as "isBefore", sum(bytes)::bigint as bytes
      from traffic_statistic join mine using (device_id)
      where ${IS_SEEN_CHANNEL} and ${isWithin(reader)} group by 1, 2, 3)
    select ${CHANNEL_NAMES}, summed."isBefore", summed.bytes
    from summed join channel using (device_id, channel_no) join device using (device_id)`.execute(reader.database);
  return rows;
}

export interface ViewerTraffic {
  /** Empty where the account was deleted. */
  readonly userName: string;
  readonly isBefore: boolean;
  readonly bytes: number;
}

/** What was sent of the caller's own devices, by who watched. Of shared devices only its own watching is told. */
export async function viewerTraffic(reader: StatisticReader): Promise<ViewerTraffic[]> {
  const { userId } = reader.rights.subject;
  const { rows } = await sql<ViewerTraffic>`
    with mine as materialized (${channelsByDevice(reader, 'Realplay')}), summed as (
      select account_id, start_time < ${reader.window.startTime} as "isBefore", sum(bytes)::bigint as bytes
      from traffic_statistic join mine using (device_id)
      where ${IS_SEEN_CHANNEL} and ${isWithin(reader)} and direction = 'out' and (owner_id = ${userId} or account_id = ${userId})
      group by 1, 2)
    select coalesce(user_name, '') as "userName", "isBefore", bytes
    from summed left join account using (account_id)`.execute(reader.database);
  return rows;
}

const CHANNEL_NAMES = sql`device.device_serial as "deviceSerial", channel.channel_no as "channelNo",
  channel.channel_name as "channelName"`;

function isWithin({ window }: StatisticReader): RawBuilder<SqlBool> {
  const { grain, beforeStart, endTime } = window;
  return sql<SqlBool>`(grain = ${grain} and start_time >= ${beforeStart} and start_time < ${endTime})`;
}

function isShown(isWeb: boolean): RawBuilder<SqlBool> {
  const hidden = isWeb ? [DEVICE_TYPE.PTS, ...WEB_HIDDEN_DEVICE_TYPES] : [DEVICE_TYPE.PTS];
  return sql<SqlBool>`not device.device_type = any(${hidden}::integer[])`;
}

function deviceIds({ rights, isWeb }: StatisticReader): RawBuilder<unknown> {
  return sql`select device_id from device left join organization using (organization_id)
    where ${visibleDevices(rights, null)} and ${isShown(isWeb)}`;
}

function channels({ rights, isWeb }: StatisticReader, action: Permission): RawBuilder<unknown> {
  return sql`select device_id, channel_no, channel_id, device.owner_id
    from channel join device using (device_id) left join organization using (organization_id)
    where ${visibleChannels(rights, action)} and ${isShown(isWeb)}`;
}

function channelsByDevice(reader: StatisticReader, action: Permission): RawBuilder<unknown> {
  return sql`select device_id, owner_id, array_agg(channel_no) as channel_nos
    from (${channels(reader, action)}) as seen group by device_id, owner_id`;
}

/** Devices themselves are channel 0. */
function alarmPlaces(reader: StatisticReader): RawBuilder<unknown> {
  const { rights, isWeb } = reader;
  return sql`select device_id, owner_id, array_agg(channel_no) as channel_nos from (
      select device_id, owner_id, channel_no from (${channels(reader, 'AlarmPush')}) as seen
      union all
      select device_id, device.owner_id, 0 from device left join organization using (organization_id)
      where ${visibleDevices(rights, 'AlarmPush')} and ${isShown(isWeb)}
    ) as place group by device_id, owner_id`;
}

/**
 * PostgreSQL takes a condition within CASE for true of half of the rows. Equalities would be multiplied into hardly any,
 * for which it sorts what it should hash: three times as slow.
 */
const IS_SEEN_CHANNEL = sql<SqlBool>`case when channel_no = any(mine.channel_nos) then true else false end`;
/** An alarm of an earlier owner is not the present one's. */
const IS_OWN_ALARM = sql<SqlBool>`case when alarm_statistic.owner_id = mine.owner_id
  then channel_no = any(mine.channel_nos) else false end`;
