// Reads what a call is about to change or has changed: its name, its owner, and the values that the audit log may show.
import type { AuditSubjectKind } from '@vedette/contract/audit-detail.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';

/** Values by field name, as text. Never a secret. */
export type AuditedValues = Readonly<Record<string, string>>;

export interface AuditSubject {
  readonly name: string;
  /** Null: it belongs to the installation. */
  readonly ownerId: string | null;
  readonly values: AuditedValues;
}

/** What is changed by a call on one device, and its name is known. */
export interface DevicePlace {
  readonly deviceId: string;
  readonly channelNo: number | undefined;
}

type Reader = (database: Database, id: string) => Promise<AuditSubject | undefined>;

/** Undefined where it is gone, or was never there. */
export async function readAuditSubject(
  database: Database,
  kind: AuditSubjectKind,
  id: string,
): Promise<AuditSubject | undefined> {
  return await READERS[kind](database, id);
}

const READERS: Readonly<Record<AuditSubjectKind, Reader>> = {
  account: async (database, id) => {
    const row = await database
      .selectFrom('account')
      .select(['user_name', 'user_type', 'is_enabled', 'owner_id', 'account_id'])
      .select(
        sql<string[]>`array(select role_name from role join account_role using (role_id)
        where account_role.account_id = account.account_id order by role_name_key)`.as('roles'),
      )
      .select(
        sql<string[]>`array(select organization_name from organization join account_organization using (organization_id)
        where account_organization.account_id = account.account_id order by organization_name)`.as('organizations'),
      )
      .where('account_id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const values = {
      userName: row.user_name,
      userType: String(row.user_type),
      isEnabled: String(row.is_enabled),
      roles: row.roles.join(', '),
      organizations: row.organizations.join(', '),
    };
    return { name: row.user_name, ownerId: row.owner_id ?? row.account_id, values };
  },
  role: async (database, id) => {
    const row = await database
      .selectFrom('role')
      .select(['role_name', 'owner_id', 'permissions', 'is_bound'])
      .where('role_id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const values = {
      name: row.role_name,
      permissions: [...row.permissions].sort().join(', '),
      isBound: String(row.is_bound),
    };
    return { name: row.role_name, ownerId: row.owner_id, values };
  },
  organization: async (database, id) => {
    const row = await database
      .selectFrom('organization')
      .leftJoin('organization as parent', 'parent.organization_id', 'organization.parent_id')
      .select(['organization.organization_name', 'organization.owner_id', 'parent.organization_name as parent_name'])
      .where('organization.organization_id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const values = { name: row.organization_name, parent: row.parent_name ?? '' };
    return { name: row.organization_name, ownerId: row.owner_id, values };
  },
  group: async (database, id) => {
    const row = await database
      .selectFrom('device_group')
      .select(['group_name', 'owner_id'])
      .select(
        sql<string[]>`array(select device_name from device join device_group_member using (device_id)
        where device_group_member.group_id = device_group.group_id order by device_name)`.as('devices'),
      )
      .where('group_id', '=', id)
      .executeTakeFirst();
    return (
      row && {
        name: row.group_name,
        ownerId: row.owner_id,
        values: { name: row.group_name, devices: row.devices.join(', ') },
      }
    );
  },
  site: async (database, id) => {
    const row = await database
      .selectFrom('site')
      .select(['site_name', 'owner_id'])
      .where('site_id', '=', id)
      .executeTakeFirst();
    return row && { name: row.site_name, ownerId: row.owner_id, values: { name: row.site_name } };
  },
  layout: async (database, id) => {
    const row = await database
      .selectFrom('layout')
      .select(['layout_name', 'owner_id', 'split', 'is_shared'])
      .where('layout_id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const values = { name: row.layout_name, split: String(row.split), isShared: String(row.is_shared) };
    return { name: row.layout_name, ownerId: row.owner_id, values };
  },
  floorPlan: async (database, id) => {
    const row = await database
      .selectFrom('floor_plan')
      .innerJoin('organization', 'organization.organization_id', 'floor_plan.organization_id')
      .select(['floor_plan.plan_name', 'organization.owner_id'])
      .select((select) =>
        select
          .selectFrom('floor_plan_camera')
          .select((count) => count.fn.countAll<number>().as('total'))
          .whereRef('floor_plan_camera.floor_plan_id', '=', 'floor_plan.floor_plan_id')
          .as('camera_total'),
      )
      .where('floor_plan.floor_plan_id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const values = { name: row.plan_name, cameras: String(row.camera_total) };
    return { name: row.plan_name, ownerId: row.owner_id, values };
  },
  alarmRule: async (database, id) => {
    const row = await database
      .selectFrom('alarm_rule')
      .innerJoin('account', 'account.account_id', 'alarm_rule.account_id')
      .select(['definition', 'alarm_rule.is_enabled', 'account.account_id', 'account.owner_id'])
      .where('rule_id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const values = { name: row.definition.name, isEnabled: String(row.is_enabled) };
    return { name: row.definition.name, ownerId: row.owner_id ?? row.account_id, values };
  },
  alarmChannel: async (database, id) => {
    const row = await database
      .selectFrom('alarm_channel')
      .innerJoin('account', 'account.account_id', 'alarm_channel.account_id')
      .select(['channel_name', 'alarm_channel.is_enabled', 'account.account_id', 'account.owner_id'])
      .where('channel_id', '=', id)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const values = { name: row.channel_name, isEnabled: String(row.is_enabled) };
    return { name: row.channel_name, ownerId: row.owner_id ?? row.account_id, values };
  },
  eventKey: async (database, id) => {
    const row = await database
      .selectFrom('ingest_key')
      .innerJoin('account', 'account.account_id', 'ingest_key.account_id')
      .select(['key_name', 'account.account_id', 'account.owner_id'])
      .where('key_id', '=', id)
      .executeTakeFirst();
    return row && { name: row.key_name, ownerId: row.owner_id ?? row.account_id, values: {} };
  },
  share: async (database, id) => {
    const row = await database
      .selectFrom('share')
      .select(['share_name', 'owner_id'])
      .where('share_id', '=', id)
      .executeTakeFirst();
    return row && { name: row.share_name, ownerId: row.owner_id, values: {} };
  },
  setting: async (database, name) => {
    const row = await database.selectFrom('setting').select('value').where('name', '=', name).executeTakeFirst();
    return { name, ownerId: null, values: flatValues(settingOf(row?.value), '') };
  },
};

/** Without the sealed secrets that stand beside a setting. */
function settingOf(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if ('config' in value) return value['config'];
  const { sealed: _sealed, ...rest } = value;
  return rest;
}

function flatValues(value: unknown, path: string): Record<string, string> {
  if (!isRecord(value)) return path === '' || value === null ? {} : { [path]: textOf(value) };
  const entries = Object.entries(value).map(([key, held]) => flatValues(held, path === '' ? key : `${path}.${key}`));
  return Object.assign({}, ...entries) as Record<string, string>;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of a device, and of its channel where the call names one. */
export async function readDeviceValues(
  database: Database,
  { deviceId, channelNo }: DevicePlace,
): Promise<AuditedValues> {
  if (channelNo === undefined) {
    const row = await database
      .selectFrom('device')
      .leftJoin('organization', 'organization.organization_id', 'device.organization_id')
      .select(['device_name', 'address', 'device_user_name', 'organization_name'])
      .where('device_id', '=', deviceId)
      .executeTakeFirst();
    if (row === undefined) return {};
    const { device_name: name, address, device_user_name: user, organization_name: organization } = row;
    return { name, address, user, organization: organization ?? '' };
  }
  const row = await database
    .selectFrom('channel')
    .select(['channel_name', 'record_quality', 'record_plan'])
    .where('device_id', '=', deviceId)
    .where('channel_no', '=', channelNo)
    .executeTakeFirst();
  if (row === undefined) return {};
  const plan = row.record_plan === null ? {} : prefixed('record', flatValues(row.record_plan, ''));
  const quality: AuditedValues = row.record_quality === null ? {} : { 'record.quality': String(row.record_quality) };
  return { name: row.channel_name, ...quality, ...plan };
}

function prefixed(prefix: string, values: AuditedValues): AuditedValues {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]));
}
