// Reads grants as the rules see them, with what a viewer is told about the share they came by.
import type { Permission } from '@vedette/contract/permissions.ts';
import type { Grant, GrantScope } from '@vedette/rules/decide/rights.ts';
import type { Database } from './connection.ts';
import type { GrantRow } from './schema.ts';

export interface GrantWithShare extends Grant {
  readonly share: {
    readonly shareType: number;
    readonly shareName: string;
    readonly ownerName: string;
    readonly description: string;
  } | null;
}

/** Grants of one account that have not ended. */
export async function grantsOf(database: Database, accountId: string, now: number): Promise<GrantWithShare[]> {
  const rows = await database
    .selectFrom('grant_row')
    .leftJoin('share', 'share.share_id', 'grant_row.share_id')
    .innerJoin('account as owner', 'owner.account_id', 'grant_row.owner_id')
    .selectAll('grant_row')
    .select(['share.share_type', 'share.share_name', 'share.description', 'owner.user_name as owner_name'])
    .where('grant_row.grantee_id', '=', accountId)
    .where((where) => where.or([where('grant_row.end_time', 'is', null), where('grant_row.end_time', '>', now)]))
    .where('owner.is_enabled', '=', true)
    .orderBy('grant_row.grant_id')
    .execute();
  return rows.map((row) => ({
    ...toGrant(row),
    share:
      row.share_type === null
        ? null
        : {
            shareType: row.share_type,
            shareName: row.share_name ?? '',
            ownerName: row.owner_name,
            description: row.description ?? '',
          },
  }));
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

/** Accounts that see something of the owner, and its sub-accounts. */
export async function dependentsOf(database: Database, ownerId: string): Promise<string[]> {
  const grantees = database.selectFrom('grant_row').select('grantee_id as id').where('owner_id', '=', ownerId);
  const subs = database.selectFrom('account').select('account_id as id').where('owner_id', '=', ownerId);
  const rows = await grantees.union(subs).execute();
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

/** The table's checks keep exactly the ids of the kind filled. */
function scopeOf(row: GrantRow): GrantScope {
  if (row.object_kind === 'organization') return { kind: 'organization', organizationId: row.organization_id ?? '' };
  if (row.object_kind === 'device') return { kind: 'device', deviceId: row.device_id ?? '' };
  return { kind: 'channel', deviceId: row.device_id ?? '', channelNo: row.channel_no ?? 0 };
}
