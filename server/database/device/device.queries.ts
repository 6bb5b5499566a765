// Reads and writes devices with their organisation.
import { WEB_HIDDEN_DEVICE_TYPES } from '@vedette/contract/enumerations.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../connection.ts';
import { inGroup } from './group.queries.ts';
import type { DeviceRow } from '../schema/schema.ts';
import { matchesKeyWord, type SearchedName } from '../search-text.ts';

/** Fields of a device, and of a named channel, for rights and media decisions. */
export interface DeviceFacts {
  readonly deviceId: string;
  readonly deviceSerial: string;
  readonly deviceName: string;
  readonly ownerId: string;
  readonly organizationId: string | null;
  readonly organizationPath: readonly string[];
  readonly siteId: string;
  readonly status: number;
  readonly statusReason: string | null;
  readonly version: number;
  readonly createdAt: number;
}

export type DeviceWithOrganization = Omit<
  DeviceRow,
  'native' | 'credentials' | 'name_bigrams' | 'time_zone' | 'site_id' | 'site_epoch' | 'home_site_id'
> & {
  organization_name: string | null;
  organization_path: string[] | null;
  channel_total: number;
};

/** Undefined where the device, or the channel that is named, doesn't exist. */
export async function findDeviceFacts(
  database: Database,
  deviceSerial: string,
  channelNo: number | undefined,
): Promise<DeviceFacts | undefined> {
  let query = selectFacts(database).where('device.device_serial', '=', deviceSerial);
  if (channelNo !== undefined) {
    query = query.where(
      sql<SqlBool>`exists (select 1 from channel where channel.device_id = device.device_id and channel.channel_no = ${channelNo})`,
    );
  }
  const row = await query.executeTakeFirst();
  return row === undefined ? undefined : toFacts(row);
}

/** By serial; what does not exist is left out. */
export async function findDevicesFacts(
  database: Database,
  serials: readonly string[],
): Promise<ReadonlyMap<string, DeviceFacts>> {
  if (serials.length === 0) return new Map();
  const rows = await selectFacts(database)
    .where(sql<SqlBool>`device.device_serial = any(${[...serials]}::text[])`)
    .execute();
  return new Map(rows.map((row) => [row.device_serial, toFacts(row)]));
}

function selectFacts(database: Database) {
  return database
    .selectFrom('device')
    .leftJoin('organization', 'organization.organization_id', 'device.organization_id')
    .select([
      'device.device_id',
      'device.device_serial',
      'device.device_name',
      'device.owner_id',
      'device.organization_id',
      'organization.path',
      'device.site_id',
      'device.status',
      'device.status_reason',
      'device.version',
      'device.created_at',
    ]);
}

function toFacts(row: Awaited<ReturnType<ReturnType<typeof selectFacts>['execute']>>[number]): DeviceFacts {
  return {
    deviceId: row.device_id,
    deviceSerial: row.device_serial,
    deviceName: row.device_name,
    ownerId: row.owner_id,
    organizationId: row.organization_id,
    organizationPath: row.path ?? [],
    siteId: row.site_id,
    status: row.status,
    statusReason: row.status_reason,
    version: row.version,
    createdAt: row.created_at,
  };
}

/** Devices joined with their organisation, for conditions of auth/visible.ts. */
export function devicesWhere(database: Database, visible: RawBuilder<SqlBool>) {
  return database
    .selectFrom('device')
    .leftJoin('organization', 'organization.organization_id', 'device.organization_id')
    .where(visible);
}
export type DeviceQuery = ReturnType<typeof devicesWhere>;

/** Filter of lists, totals and searches: some kinds are hidden from browsers (PM-05). */
export function listedDevices(database: Database, visible: RawBuilder<SqlBool>, isWeb: boolean): DeviceQuery {
  const query = devicesWhere(database, visible);
  return isWeb ? query.where('device.device_type', 'not in', [...WEB_HIDDEN_DEVICE_TYPES]) : query;
}

/** The columns of `PlacedDevice`. */
export function selectWithOrganization(query: DeviceQuery) {
  return query
    .select([
      'device.device_id',
      'device.owner_id',
      'device.device_serial',
      'device.reported_serial',
      'device.device_name',
      'device.device_type',
      'device.device_model',
      'device.device_version',
      'device.manufacturer',
      'device.organization_id',
      'device.driver',
      'device.address',
      'device.device_user_name',
      'device.is_operator_address',
      'device.capabilities',
      'device.status',
      'device.status_reason',
      'device.status_at',
      'device.latest_online',
      'device.version',
      'device.created_at',
      'organization.organization_name',
      'organization.path as organization_path',
    ])
    .select(sql<number>`(select count(*) from channel where channel.device_id = device.device_id)`.as('channel_total'));
}

export interface DeviceFilter {
  readonly keyWord?: string | undefined;
  readonly status?: number | undefined;
  readonly deviceType?: number | undefined;
  /** '0' is the root, for devices without an organisation. */
  readonly organizationId?: string | undefined;
  readonly withAllBelow?: boolean;
  /** Null is the owner's default group. */
  readonly group?: { readonly ownerId: string; readonly groupId: string | null } | undefined;
}

export function filterDevices(query: DeviceQuery, filter: DeviceFilter): DeviceQuery {
  let narrowed = query;
  if (filter.keyWord !== undefined && filter.keyWord !== '')
    narrowed = narrowed.where(matchesKeyWord(DEVICE_NAME, filter.keyWord));
  if (filter.status !== undefined) narrowed = narrowed.where('device.status', '=', filter.status);
  if (filter.deviceType !== undefined) narrowed = narrowed.where('device.device_type', '=', filter.deviceType);
  if (filter.group !== undefined) narrowed = narrowed.where(inGroup(filter.group.ownerId, filter.group.groupId));
  if (filter.organizationId === undefined) return narrowed;
  if (filter.withAllBelow === true) {
    if (filter.organizationId === '0') return narrowed;
    return narrowed.where(sql<SqlBool>`organization.path @> array[${filter.organizationId}]::text[]`);
  }
  return filter.organizationId === '0'
    ? narrowed.where('device.organization_id', 'is', null)
    : narrowed.where('device.organization_id', '=', filter.organizationId);
}

const DEVICE_NAME: SearchedName = {
  pairs: sql`device.name_bigrams`,
  text: sql`device.device_name || E'\\n' || device.device_serial`,
  parts: [sql`device.device_name`, sql`device.device_serial`, sql`device.reported_serial`],
};

export function findDevice(database: Database, deviceId: string): Promise<DeviceRow | undefined> {
  return database.selectFrom('device').selectAll().where('device_id', '=', deviceId).executeTakeFirst();
}

export async function deviceIdsOf(database: Database, ownerId: string): Promise<string[]> {
  const rows = await database.selectFrom('device').select('device_id').where('owner_id', '=', ownerId).execute();
  return rows.map((row) => row.device_id);
}
