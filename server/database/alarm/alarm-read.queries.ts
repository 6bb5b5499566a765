// Reads alarms with the names of their device, channel and organisation, by filter and page, by id, and by change order.
import type { AlarmState } from '@vedette/contract/calls/alarm.ts';
import type { AlarmEndReason, RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import { DEVICE_TYPE, USER_TYPE, WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import { canOwn } from '@vedette/rules/decide/decide.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Rights } from '../../auth/rights.ts';
import { visibleChannels, visibleDevices } from '../../auth/visibility-conditions.ts';
import type { Database } from '../connection.ts';
import { devicesWhere } from '../device/device.queries.ts';

/** With more devices than this the index by time is used. */
const NARROW_DEVICES_MAX = 500;

/** Replaces the device for alarms of the installation itself, stored per operator. */
export const INSTALLATION = '';

/** Pulses are stored with an end in the future; half a second allows for a slower database clock. */
const LASTS = sql<SqlBool>`(alarm.end_time is null or (alarm.end_reason = 'held'
  and alarm.end_time > extract(epoch from clock_timestamp()) * 1000 + 500))`;

/** Open alarms are few compared to ended ones: they are found by their own table. */
const IS_OPEN = sql<SqlBool>`((alarm.start_time, alarm.alarm_id) in (select start_time, alarm_id from open_alarm) and ${LASTS})`;

/** Avoids joins: each doubles the plans considered. */
function userNameOf(column: 'acknowledged_by' | 'assigned_to' | 'closed_by'): RawBuilder<string | null> {
  return sql<string | null>`(select user_name from account where account_id = ${sql.ref(`alarm.${column}`)})`;
}

/** Alarms with their places; visible while the device still belongs to the same account. */
function alarmsWithNames(database: Database) {
  return database
    .selectFrom('alarm')
    .leftJoin('device', (join) =>
      join.onRef('device.device_id', '=', 'alarm.device_id').onRef('device.owner_id', '=', 'alarm.owner_id'),
    )
    .leftJoin('organization', 'organization.organization_id', 'device.organization_id')
    .leftJoin('channel', (join) =>
      join.onRef('channel.device_id', '=', 'alarm.device_id').onRef('channel.channel_no', '=', 'alarm.channel_no'),
    )
    .select([
      'alarm.start_time',
      'alarm.alarm_id',
      'alarm.device_id',
      'alarm.owner_id',
      'alarm.channel_no',
      'alarm.type',
      'alarm.topic',
      'alarm.source',
      'alarm.data',
      'alarm.device_at',
      sql<number | null>`case when ${LASTS} then null else alarm.end_time end`.as('end_time'),
      sql<AlarmEndReason | null>`case when ${LASTS} then null else alarm.end_reason end`.as('end_reason'),
      'alarm.repeat_count',
      'alarm.acknowledged_at',
      'alarm.assigned_to',
      'alarm.closed_at',
      'alarm.comments',
      'alarm.picture_at',
      userNameOf('acknowledged_by').as('acknowledger_name'),
      userNameOf('assigned_to').as('assignee_name'),
      userNameOf('closed_by').as('closer_name'),
      sql<string>`coalesce(device.device_serial, '')`.as('device_serial'),
      sql<string>`coalesce(device.device_name, '')`.as('device_name'),
      sql<number>`coalesce(device.device_type, -1)`.as('device_type'),
      'device.organization_id',
      'organization.organization_name',
      'organization.path as organization_path',
      'channel.channel_name',
    ])
    .where(sql<SqlBool>`(device.device_id is not null or alarm.device_id = ${INSTALLATION})`);
}

type AlarmQuery = ReturnType<typeof alarmsWithNames>;
export type AlarmWithNames = Awaited<ReturnType<AlarmQuery['execute']>>[number];

export interface AlarmFilter {
  readonly types?: readonly RaisedAlarmType[] | undefined;
  readonly devices?: readonly { readonly deviceSerial: string; readonly channelNo?: number | undefined }[] | undefined;
  readonly organizationId?: string | undefined;
  readonly state?: AlarmState | undefined;
  /** Indexes in ALARM_SEVERITIES. */
  readonly severities?: readonly number[] | undefined;
  readonly isActive?: boolean | undefined;
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/** The row before the page. */
export interface AlarmCursor {
  readonly startTime: number;
  readonly alarmId: string;
}

export interface AlarmPage {
  readonly filter: AlarmFilter;
  readonly after: AlarmCursor | null;
  readonly limit: number;
  /** Hides from browsers what PM-05 excludes. */
  readonly isWeb: boolean;
}

/** All matches, unordered. */
export function shownBy(
  database: Database,
  rights: Rights,
  { filter, isWeb }: { readonly filter: AlarmFilter; readonly isWeb: boolean },
): AlarmQuery {
  const { organizationId, devices } = filter;
  let query = shownAlarms(filterAlarms(alarmsWithNames(database), filter), rights, isWeb);
  if (devices !== undefined) {
    query = query.where(
      'device.device_serial',
      'in',
      devices.map((one) => one.deviceSerial),
    );
  }
  if (organizationId === undefined || organizationId === '0') return query;
  return query.where(sql<SqlBool>`organization.path @> array[${organizationId}]::text[]`);
}

/** Newest first. Candidates come from an index-only scan unless the filter needs mutable columns; rows are read for shown alarms only. */
export async function alarmPage(database: Database, rights: Rights, page: AlarmPage): Promise<AlarmWithNames[]> {
  const narrow = await narrowDevices(database, rights, page.filter);
  if (narrow?.length === 0) return [];
  const { after, filter, isWeb } = page;
  // One bound only: with several, PostgreSQL would start at the first and read all pages before this one.
  const within =
    after === null ? filter : { ...filter, endTime: Math.min(after.startTime + 1, filter.endTime ?? Infinity) };
  let query = shownAlarms(filterAlarms(alarmsWithNames(database), within), rights, isWeb);
  if (narrow !== null) query = query.where('alarm.device_id', 'in', narrow);
  if (after !== null) {
    const { startTime, alarmId } = after;
    query = query.where(sql<SqlBool>`(alarm.start_time, alarm.alarm_id) < (${startTime}::bigint, ${alarmId}::text)`);
  }
  const keys = await pageOrder(query)
    .clearSelect()
    .select(['alarm.start_time as startTime', 'alarm.alarm_id as alarmId'])
    .limit(page.limit)
    .execute();
  return await alarmsById(database, rights, keys, page.isWeb);
}

/** Those of the ids that the caller may see, newest first. */
export async function alarmsById(
  database: Database,
  rights: Rights,
  cursors: readonly AlarmCursor[],
  isWeb: boolean,
): Promise<AlarmWithNames[]> {
  if (cursors.length === 0) return [];
  return await pageOrder(shownAlarms(byId(alarmsWithNames(database), cursors), rights, isWeb)).execute();
}

/** For actions without a caller; alarms of deleted devices are omitted. */
export async function alarmsByCursor(database: Database, cursors: readonly AlarmCursor[]): Promise<AlarmWithNames[]> {
  return cursors.length === 0 ? [] : await byId(alarmsWithNames(database), cursors).execute();
}

function pageOrder(query: AlarmQuery): AlarmQuery {
  return query.orderBy('alarm.start_time', 'desc').orderBy('alarm.alarm_id', 'desc');
}

function byId(query: AlarmQuery, cursors: readonly AlarmCursor[]): AlarmQuery {
  const starts = cursors.map((one) => one.startTime);
  // The times select partitions before the pairs do, and skip those between.
  return query.where(sql<SqlBool>`(alarm.start_time, alarm.alarm_id) in (
      select * from unnest(${starts}::bigint[], ${cursors.map((one) => one.alarmId)}::text[]))
    and alarm.start_time = any(${[...new Set(starts)]}::bigint[])`);
}

function shownAlarms(query: AlarmQuery, rights: Rights, isWeb: boolean): AlarmQuery {
  const { subject, grants } = rights;
  const hidden = isWeb ? [DEVICE_TYPE.PTS, ...WEB_HIDDEN_DEVICE_TYPES] : [DEVICE_TYPE.PTS];
  const seen = seenAlarms(rights);
  const isOfDevice = sql<SqlBool>`not device.device_type = any(${hidden}::integer[])`;
  if (subject.userType !== USER_TYPE.super) {
    // Other accounts have only device alarms: an inner join is enough.
    const ofDevices = query.where('device.device_id', 'is not', null).where(seen).where(isOfDevice);
    return canOwn(subject) && grants.length === 0 ? byOwnerIndex(ofDevices, subject.userId) : ofDevices;
  }
  const ofInstallation = sql<SqlBool>`(alarm.device_id = ${INSTALLATION} and alarm.owner_id = ${subject.userId})`;
  const shown = query.where(sql<SqlBool>`(${ofInstallation} or (${seen} and ${isOfDevice}))`);
  // With one owner the index by owner and time serves the page.
  return grants.length === 0 ? byOwnerIndex(shown, subject.userId) : shown;
}

/** Redundant to the rights: makes the planner use the index. */
function byOwnerIndex(query: AlarmQuery, ownerId: string): AlarmQuery {
  return query.where((alarm) => alarm('alarm.owner_id', '=', ownerId));
}

/** Whole devices by device, single channels by channel. */
function seenAlarms(rights: Rights): RawBuilder<SqlBool> {
  const ofDevice = visibleDevices(rights, 'AlarmPush');
  const ofChannel = visibleChannels(rights, 'AlarmPush');
  return sql<SqlBool>`((alarm.channel_no = 0 and ${ofDevice}) or (alarm.channel_no > 0 and ${ofChannel}))`;
}

/** Each alarm matches exactly one of them. */
const IN_STATE: Record<AlarmState, RawBuilder<SqlBool>> = {
  new: sql`(alarm.closed_at is null and alarm.assigned_to is null and alarm.acknowledged_at is null)`,
  acknowledged: sql`(alarm.closed_at is null and alarm.assigned_to is null and alarm.acknowledged_at is not null)`,
  assigned: sql`(alarm.closed_at is null and alarm.assigned_to is not null)`,
  closed: sql`(alarm.closed_at is not null)`,
};

function filterAlarms(query: AlarmQuery, filter: AlarmFilter): AlarmQuery {
  const { types, state, severities, isActive, startTime, endTime, devices } = filter;
  let narrowed = query;
  if (types !== undefined) narrowed = narrowed.where(sql<SqlBool>`alarm.type = any(${[...types]}::text[])`);
  if (state !== undefined) narrowed = narrowed.where(IN_STATE[state]);
  if (severities !== undefined)
    narrowed = narrowed.where(sql<SqlBool>`alarm.severity = any(${[...severities]}::smallint[])`);
  if (isActive !== undefined) narrowed = narrowed.where(isActive ? IS_OPEN : sql<SqlBool>`not ${LASTS}`);
  if (startTime !== undefined) narrowed = narrowed.where('alarm.start_time', '>=', startTime);
  if (endTime !== undefined) narrowed = narrowed.where('alarm.start_time', '<', endTime);
  return devices === undefined ? narrowed : ofChannels(narrowed, devices);
}

/** If all are whole devices, `narrowDevices` already filters them. */
function ofChannels(query: AlarmQuery, devices: NonNullable<AlarmFilter['devices']>): AlarmQuery {
  const channels = devices.filter((one) => one.channelNo !== undefined);
  if (channels.length === 0) return query;
  const whole = devices.filter((one) => one.channelNo === undefined).map((one) => one.deviceSerial);
  const pairs = sql<SqlBool>`(device.device_serial, alarm.channel_no) in
    (select * from unnest(${channels.map((one) => one.deviceSerial)}::text[], ${channels.map((one) => one.channelNo)}::integer[]))`;
  return query.where(sql<SqlBool>`(device.device_serial = any(${whole}::text[]) or ${pairs})`);
}

/** The few devices that can match; null if the filter does not restrict devices. */
async function narrowDevices(database: Database, rights: Rights, filter: AlarmFilter): Promise<string[] | null> {
  const { devices } = filter;
  const organizationId = filter.organizationId === '0' ? undefined : filter.organizationId;
  const isWide = devices === undefined && organizationId === undefined;
  if (isWide && canOwn(rights.subject)) return null;
  let query = devicesWhere(database, visibleDevices(rights, null));
  if (devices !== undefined) {
    query = query.where(
      'device.device_serial',
      'in',
      devices.map((one) => one.deviceSerial),
    );
  }
  if (organizationId !== undefined) {
    query = query.where(sql<SqlBool>`organization.path @> array[${organizationId}]::text[]`);
  }
  const rows = await query
    .select('device.device_id')
    .limit(isWide ? NARROW_DEVICES_MAX + 1 : 1_000_000)
    .execute();
  if (isWide && rows.length > NARROW_DEVICES_MAX) return null;
  return rows.map((row) => row.device_id);
}

export async function userNames(
  database: Database,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (accountIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('account')
    .select(['account_id', 'user_name'])
    .where('account_id', 'in', [...new Set(accountIds)])
    .execute();
  return new Map(rows.map((row) => [row.account_id, row.user_name]));
}
