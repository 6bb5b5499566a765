// Reads grants with the share they come from.
import { SHARE_TYPE } from '@vedette/contract/enumerations.ts';
import { type Permission, rightsByRole } from '@vedette/contract/permissions.ts';
import type { GrantLink } from '@vedette/rules/decide/bounded-grants.ts';
import type { Grant, GrantScope } from '@vedette/rules/decide/rights.ts';
import { sql } from 'kysely';
import type { Database } from '../connection.ts';
import type { GrantRow } from '../schema/schema.ts';
import { weeklyHoursOf } from './share-hours.ts';
import type { StoredHours } from '../schema/share-schema.ts';

export interface GrantWithShare extends Grant {
  readonly share: {
    readonly shareType: number;
    readonly shareName: string;
    readonly ownerName: string;
    readonly description: string;
  } | null;
}

/** As stored: a re-share is limited by what its giver received. */
export type ShareLinkGrant = GrantWithShare & GrantLink;

/** Grants that have not ended, were accepted, and come from enabled accounts. */
export async function grantLinksOf(
  database: Database,
  accountIds: readonly string[],
  now: number,
): Promise<ShareLinkGrant[]> {
  if (accountIds.length === 0) return [];
  const rows = await database
    .selectFrom('grant_row')
    .leftJoin('share', 'share.share_id', 'grant_row.share_id')
    .innerJoin('account as owner', 'owner.account_id', 'grant_row.owner_id')
    .leftJoin('account as giver', 'giver.account_id', 'share.owner_id')
    .leftJoin('role', (join) =>
      join.onRef('role.role_id', '=', 'share.role_id').onRef('role.owner_id', '=', 'share.owner_id'),
    )
    .selectAll('grant_row')
    .select([
      'share.share_type',
      'share.share_name',
      'share.description',
      'share.weekly_hours',
      'share.needs_reshare',
      'share.owner_id as giver_id',
      'role.permissions as role_permissions',
      'giver.user_name as giver_name',
    ])
    .where('grant_row.grantee_id', 'in', [...accountIds])
    .where((where) => where.or([where('grant_row.end_time', 'is', null), where('grant_row.end_time', '>', now)]))
    .where('owner.is_enabled', '=', true)
    .where((where) =>
      where.or([
        where('grant_row.share_id', 'is', null),
        where.and([where('share.accepted_at', 'is not', null), where('giver.is_enabled', '=', true)]),
      ]),
    )
    .orderBy('grant_row.grant_id')
    .execute();
  return rows.map(toLink);
}

type LinkRow = GrantRow & {
  readonly share_type: number | null;
  readonly share_name: string | null;
  readonly description: string | null;
  readonly weekly_hours: StoredHours | null;
  readonly needs_reshare: boolean | null;
  readonly giver_id: string | null;
  readonly giver_name: string | null;
  readonly role_permissions: string[] | null;
};

function toLink(row: LinkRow): ShareLinkGrant {
  const grant = {
    ...toGrant(row),
    giverId: row.giver_id ?? row.owner_id,
    needsReshare: row.needs_reshare ?? true,
    windows: weeklyHoursOf(row.weekly_hours),
  };
  if (row.share_type === null) return { ...grant, share: null };
  const isFromRole = row.share_type === SHARE_TYPE.fromRole;
  return {
    ...grant,
    permissions: isFromRole ? rightsByRole(row.role_permissions ?? []) : grant.permissions,
    share: {
      shareType: row.share_type,
      shareName: row.share_name ?? '',
      ownerName: row.giver_name ?? '',
      description: row.description ?? '',
    },
  };
}

export async function insertGrants(database: Database, rows: readonly GrantRow[]): Promise<void> {
  if (rows.length === 0) return;
  await database
    .insertInto('grant_row')
    .values([...rows])
    .execute();
}

/** Accounts that hold a grant on the device, on one of its channels, or on an organisation around it. */
export async function granteesAround(
  database: Database,
  place: { deviceId: string | null; organizationPath: readonly string[] },
): Promise<string[]> {
  const rows = await database
    .selectFrom('grant_row')
    .select('grantee_id')
    .distinct()
    .where((where) =>
      where.or([
        ...(place.deviceId === null ? [] : [where('device_id', '=', place.deviceId)]),
        ...(place.organizationPath.length === 0 ? [] : [where('organization_id', 'in', [...place.organizationPath])]),
      ]),
    )
    .execute();
  return rows.map((row) => row.grantee_id);
}

/** Accounts that see something of the owner or through it, and its sub-accounts. */
export async function dependentsOf(database: Database, ownerId: string): Promise<string[]> {
  const grantees = database.selectFrom('grant_row').select('grantee_id as id').where('owner_id', '=', ownerId);
  const subs = database.selectFrom('account').select('account_id as id').where('owner_id', '=', ownerId);
  const rows = await grantees.union(subs).execute();
  const below = await withReceivers(database, [ownerId, ...rows.map((row) => row.id)]);
  return below.filter((id) => id !== ownerId);
}

/** The accounts, and all receivers of their re-shares. */
export async function withReceivers(database: Database, accountIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive below(id) as (
      select unnest(${[...accountIds]}::text[])
      union
      select share.grantee_id from share join below on share.owner_id = below.id
    ) select id from below`.execute(database);
  return rows.map((row) => row.id);
}

function toGrant(row: GrantRow): Grant {
  return {
    grantId: row.grant_id,
    granteeId: row.grantee_id,
    ownerId: row.owner_id,
    scope: scopeOf(row),
    permissions: row.permissions as Permission[],
    startTime: row.start_time,
    endTime: row.end_time,
    source: row.source,
    shareId: row.share_id,
  };
}

/** Table checks guarantee exactly the ids of the kind. */
function scopeOf(row: GrantRow): GrantScope {
  if (row.object_kind === 'organization') return { kind: 'organization', organizationId: row.organization_id ?? '' };
  if (row.object_kind === 'device') return { kind: 'device', deviceId: row.device_id ?? '' };
  return { kind: 'channel', deviceId: row.device_id ?? '', channelNo: row.channel_no ?? 0 };
}
