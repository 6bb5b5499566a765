// Reads and writes roles, their accounts and their resources.
import { sql } from 'kysely';
import type { Permission } from '@vedette/contract/permissions.ts';
import type { Database } from '../connection.ts';
import type { RoleResourceRow, RoleRow } from '../schema/role-schema.ts';

export interface NamedResource {
  readonly role_id: string;
  readonly organization_id: string | null;
  readonly device_serial: string | null;
  readonly channel_no: number | null;
  readonly name: string;
}

/** Names of roles of one owner are unique whatever their case. */
export function roleNameKey(roleName: string): string {
  return roleName.trim().toLowerCase();
}

export function rolesOf(database: Database, ownerId: string) {
  return database.selectFrom('role').where('owner_id', '=', ownerId);
}

export async function countRoles(database: Database, ownerId: string): Promise<number> {
  const { total } = await rolesOf(database, ownerId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

export async function insertRole(database: Database, row: Omit<RoleRow, 'role_name_key' | 'version'>): Promise<void> {
  await database
    .insertInto('role')
    .values({ ...row, role_name_key: roleNameKey(row.role_name) })
    .execute();
}

/** Undefined where `version` is not the stored one any more. */
export function updateRole(
  database: Database,
  which: { roleId: string; ownerId: string; version: number },
  change: { roleName: string; permissions: readonly Permission[]; isBound: boolean },
): Promise<RoleRow | undefined> {
  return database
    .updateTable('role')
    .set((expression) => ({
      role_name: change.roleName,
      role_name_key: roleNameKey(change.roleName),
      permissions: [...change.permissions],
      is_bound: change.isBound,
      version: expression('version', '+', 1),
    }))
    .where('role_id', '=', which.roleId)
    .where('owner_id', '=', which.ownerId)
    .where('version', '=', which.version)
    .returningAll()
    .executeTakeFirst();
}

export async function setRoleResources(
  database: Database,
  roleId: string,
  resources: readonly Omit<RoleResourceRow, 'role_id'>[],
): Promise<void> {
  await database.deleteFrom('role_resource').where('role_id', '=', roleId).execute();
  if (resources.length === 0) return;
  await database
    .insertInto('role_resource')
    .values(resources.map((one) => ({ ...one, role_id: roleId })))
    .execute();
}

export async function namedResources(database: Database, roleIds: readonly string[]): Promise<NamedResource[]> {
  if (roleIds.length === 0) return [];
  return await database
    .selectFrom('role_resource')
    .leftJoin('organization', 'organization.organization_id', 'role_resource.organization_id')
    .leftJoin('device', 'device.device_id', 'role_resource.device_id')
    .leftJoin('channel', (join) =>
      join
        .onRef('channel.device_id', '=', 'role_resource.device_id')
        .onRef('channel.channel_no', '=', 'role_resource.channel_no'),
    )
    .select(['role_resource.role_id', 'role_resource.organization_id', 'role_resource.channel_no'])
    .select('device.device_serial')
    .select(
      sql<string>`coalesce(channel.channel_name, device.device_name, organization.organization_name, '')`.as('name'),
    )
    .where('role_resource.role_id', 'in', [...roleIds])
    .orderBy('name')
    .execute();
}

export async function accountsWithRole(database: Database, roleId: string): Promise<string[]> {
  const rows = await database.selectFrom('account_role').select('account_id').where('role_id', '=', roleId).execute();
  return rows.map((row) => row.account_id);
}

export async function userTotals(database: Database, roleIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (roleIds.length === 0) return new Map();
  const rows = await database
    .selectFrom('account_role')
    .select('role_id')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('role_id', 'in', [...roleIds])
    .groupBy('role_id')
    .execute();
  return new Map(rows.map((row) => [row.role_id, row.total]));
}
