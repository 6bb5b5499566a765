// Reads and writes role assignments of accounts (roles and organisations), and derives the grants of sub-accounts from them.
import type { Permission } from '@vedette/contract/permissions.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { Database } from '../connection.ts';
import { insertGrants } from './grant.queries.ts';
import type { RoleResourceRow } from '../schema/role-schema.ts';
import type { GrantRow } from '../schema/schema.ts';

export interface RoleAssignment {
  readonly roleIds: readonly string[];
  readonly organizationIds: readonly string[];
}

/** Rights of a sub-account in its organisations while it has no role. */
const VIEWER: readonly Permission[] = ['Realplay', 'Replay', 'Export'];

export async function roleAssignmentsOf(
  database: Database,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, RoleAssignment>> {
  if (accountIds.length === 0) return new Map();
  const [roles, organizations] = await Promise.all([
    database
      .selectFrom('account_role')
      .selectAll()
      .where('account_id', 'in', [...accountIds])
      .execute(),
    database
      .selectFrom('account_organization')
      .selectAll()
      .where('account_id', 'in', [...accountIds])
      .execute(),
  ]);
  return new Map(
    accountIds.map((accountId) => [
      accountId,
      {
        roleIds: roles.filter((row) => row.account_id === accountId).map((row) => row.role_id),
        organizationIds: organizations.filter((row) => row.account_id === accountId).map((row) => row.organization_id),
      },
    ]),
  );
}

export async function setRoleAssignment(
  database: Database,
  accountId: string,
  placement: Partial<RoleAssignment>,
): Promise<void> {
  if (placement.roleIds !== undefined) {
    await database.deleteFrom('account_role').where('account_id', '=', accountId).execute();
    const rows = [...new Set(placement.roleIds)].map((roleId) => ({ account_id: accountId, role_id: roleId }));
    if (rows.length > 0) await database.insertInto('account_role').values(rows).execute();
  }
  if (placement.organizationIds !== undefined) {
    await database.deleteFrom('account_organization').where('account_id', '=', accountId).execute();
    const ids = [...new Set(placement.organizationIds)];
    const rows = ids.map((organizationId) => ({ account_id: accountId, organization_id: organizationId }));
    if (rows.length > 0) await database.insertInto('account_organization').values(rows).execute();
  }
}

/** Rewrites the grants of sub-accounts, in the transaction that changed their roles or organisations. */
export async function rewriteRoleGrants(database: Database, accountIds: readonly string[]): Promise<void> {
  if (accountIds.length === 0) return;
  await database
    .deleteFrom('grant_row')
    .where('source', '=', 'role')
    .where('grantee_id', 'in', [...accountIds])
    .execute();
  const accounts = await database
    .selectFrom('account')
    .select(['account_id', 'owner_id'])
    .where('account_id', 'in', [...accountIds])
    .execute();
  const placements = await roleAssignmentsOf(database, accountIds);
  const roles = await rolesWithResources(
    database,
    [...placements.values()].flatMap((one) => one.roleIds),
  );
  const rows = accounts.flatMap(({ account_id: granteeId, owner_id: ownerId }) => {
    const placement = placements.get(granteeId);
    return ownerId === null || placement === undefined ? [] : grantsFor({ granteeId, ownerId }, placement, roles);
  });
  await insertGrants(database, rows);
}

interface RoleWithResources {
  readonly permissions: readonly string[];
  readonly isBound: boolean;
  readonly resources: readonly RoleResourceRow[];
}

async function rolesWithResources(
  database: Database,
  roleIds: readonly string[],
): Promise<ReadonlyMap<string, RoleWithResources>> {
  if (roleIds.length === 0) return new Map();
  const ids = [...new Set(roleIds)];
  const [roles, resources] = await Promise.all([
    database.selectFrom('role').selectAll().where('role_id', 'in', ids).execute(),
    database.selectFrom('role_resource').selectAll().where('role_id', 'in', ids).execute(),
  ]);
  const byRole = Map.groupBy(resources, (row) => row.role_id);
  return new Map(
    roles.map((row) => [
      row.role_id,
      { permissions: row.permissions, isBound: row.is_bound, resources: byRole.get(row.role_id) ?? [] },
    ]),
  );
}

function grantsFor(
  sides: { readonly granteeId: string; readonly ownerId: string },
  assignment: RoleAssignment,
  roles: ReadonlyMap<string, RoleWithResources>,
): GrantRow[] {
  const places = assignment.organizationIds.map((organization_id) => ({
    organization_id,
    device_id: null,
    channel_no: null,
  }));
  const held = assignment.roleIds.flatMap((roleId) => roles.get(roleId) ?? []);
  if (assignment.roleIds.length === 0) return places.map((place) => grantRow(sides, place, VIEWER));
  return held.flatMap((role) =>
    (role.isBound ? role.resources : places).map((place) => grantRow(sides, place, role.permissions)),
  );
}

function grantRow(
  sides: { readonly granteeId: string; readonly ownerId: string },
  place: Pick<RoleResourceRow, 'organization_id' | 'device_id' | 'channel_no'>,
  permissions: readonly string[],
): GrantRow {
  const kind = place.organization_id !== null ? 'organization' : place.channel_no === null ? 'device' : 'channel';
  return {
    grant_id: newId(),
    grantee_id: sides.granteeId,
    owner_id: sides.ownerId,
    object_kind: kind,
    organization_id: place.organization_id,
    device_id: place.device_id,
    channel_no: place.channel_no,
    permissions: [...permissions],
    start_time: null,
    end_time: null,
    source: 'role',
    share_id: null,
  };
}
