// Handlers of role/*: rights of sub-accounts and where they hold; a change takes effect with its commit.
import type { roleCalls, RoleDetails, RoleResource } from '@vedette/contract/calls/role.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { CallError } from '../../core/call-error.ts';
import type { Database } from '../../database/connection.ts';
import { findDeviceFacts } from '../../database/device/device.queries.ts';
import { findOrganization } from '../../database/access/organization.queries.ts';
import { rewriteRoleGrants } from '../../database/access/role-assignment.queries.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';
import {
  accountsWithRole,
  countRoles,
  insertRole,
  namedResources,
  rolesOf,
  setRoleResources,
  updateRole,
  userTotals,
} from '../../database/access/role.queries.ts';
import type { RoleResourceRow, RoleRow } from '../../database/schema/role-schema.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import type { Handlers } from '../../http/handler.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import { withinQuota } from '../../quota/reserve-quota.ts';
import { notifySharesOfRole } from '../share/share.facts.ts';

type RoleScope = Omit<RoleResourceRow, 'role_id'>;

export function roleHandlers(parts: { readonly database: Database }): Handlers<keyof typeof roleCalls> {
  const { database } = parts;
  return {
    'role/list': async ({ input, principal }) => {
      const { offset, limit } = pageRange(input);
      const rows = await rolesOf(database, principal.userId)
        .selectAll()
        .orderBy('role_name_key')
        .offset(offset)
        .limit(limit)
        .execute();
      return { total: await countRoles(database, principal.userId), roleList: await toRoles(database, rows) };
    },
    'role/add': async ({ input, principal, now }) => ({
      roleId: await addRole(database, principal.userId, input, now),
    }),
    'role/update': async ({ input, principal, now }) => {
      await oneRole(database, principal.userId, input.roleId);
      const places = await ownScopes(database, principal.userId, input.resources);
      const isDone = await refusingTakenName(() =>
        database.transaction().execute(async (transaction) => {
          const which = { roleId: input.roleId, ownerId: principal.userId, version: input.version };
          const permissions = [...new Set(input.permissions)];
          const change = { roleName: input.roleName, permissions, isBound: places !== null };
          if ((await updateRole(transaction, which, change)) === undefined) return false;
          await setRoleResources(transaction, input.roleId, places ?? []);
          await applyRoleChange(transaction, await accountsWithRole(transaction, input.roleId), now);
          await notifySharesOfRole(transaction, input.roleId, now);
          return true;
        }),
      );
      const role = await oneRole(database, principal.userId, input.roleId);
      if (!isDone) throw new CallError('stale', role);
      return { role };
    },
    'role/delete': async ({ input, principal, now }) => {
      await database.transaction().execute(async (transaction) => {
        const concerned = await accountsWithRole(transaction, input.roleId);
        const deleted = await transaction
          .deleteFrom('role')
          .where('role_id', '=', input.roleId)
          .where('owner_id', '=', principal.userId)
          .returning('role_id')
          .executeTakeFirst();
        if (deleted === undefined) throw new CallError('notFound');
        await applyRoleChange(transaction, concerned, now);
        await notifySharesOfRole(transaction, input.roleId, now);
      });
      return {};
    },
  };
}

interface NewRole {
  readonly roleName: string;
  readonly permissions: readonly Permission[];
  readonly resources: readonly RoleResource[] | null;
}

async function addRole(database: Database, ownerId: string, role: NewRole, now: number): Promise<string> {
  const places = await ownScopes(database, ownerId, role.resources);
  const roleId = newId();
  await refusingTakenName(() =>
    withinQuota(database, { accountId: ownerId, now, take: { roles: 1 } }, async (transaction) => {
      await insertRole(transaction, {
        role_id: roleId,
        owner_id: ownerId,
        role_name: role.roleName,
        permissions: [...new Set(role.permissions)],
        is_bound: places !== null,
        created_at: now,
      });
      await setRoleResources(transaction, roleId, places ?? []);
    }),
  );
  return roleId;
}

/** Whoever watches by a right that is gone is cut off, whoever has more is told. */
async function applyRoleChange(database: Database, accountIds: readonly string[], now: number): Promise<void> {
  await rewriteRoleGrants(database, accountIds);
  await insertRevocations(
    database,
    now,
    accountIds.map((accountId) => ({ accountId, sessionId: null, deviceSerial: null, reason: 'account' as const })),
  );
}

async function refusingTakenName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) throw new CallError('alreadyExists', { roleName: 'notAllowed' });
    throw error;
  }
}

/** Only what the owner owns; foreign places answer as missing ones. Null: the role holds where its accounts are placed. */
async function ownScopes(
  database: Database,
  ownerId: string,
  resources: readonly RoleResource[] | null,
): Promise<RoleScope[] | null> {
  if (resources === null) return null;
  const places: RoleScope[] = [];
  for (const resource of resources) places.push(await ownScope(database, ownerId, resource));
  return [...new Map(places.map((place) => [JSON.stringify(place), place])).values()];
}

async function ownScope(database: Database, ownerId: string, resource: RoleResource): Promise<RoleScope> {
  if ('organizationId' in resource) {
    const row = await findOrganization(database, resource.organizationId);
    if (row?.owner_id !== ownerId) throw new CallError('notFound');
    return { organization_id: row.organization_id, device_id: null, channel_no: null };
  }
  const channelNo = 'channelNo' in resource ? resource.channelNo : undefined;
  const facts = await findDeviceFacts(database, resource.deviceSerial, channelNo);
  if (facts?.ownerId !== ownerId) throw new CallError('devNotExist');
  return { organization_id: null, device_id: facts.deviceId, channel_no: channelNo ?? null };
}

async function oneRole(database: Database, ownerId: string, roleId: string): Promise<RoleDetails> {
  const row = await rolesOf(database, ownerId).selectAll().where('role_id', '=', roleId).executeTakeFirst();
  const [role] = row === undefined ? [] : await toRoles(database, [row]);
  if (role === undefined) throw new CallError('notFound');
  return role;
}

async function toRoles(database: Database, rows: readonly RoleRow[]): Promise<RoleDetails[]> {
  const ids = rows.map((row) => row.role_id);
  const [resources, totals] = await Promise.all([namedResources(database, ids), userTotals(database, ids)]);
  return rows.map((row) => ({
    roleId: row.role_id,
    roleName: row.role_name,
    permissions: row.permissions as Permission[],
    resources: row.is_bound
      ? resources
          .filter((one) => one.role_id === row.role_id)
          .map((one) => ({
            organizationId: one.organization_id,
            deviceSerial: one.device_serial,
            channelNo: one.channel_no,
            name: one.name,
          }))
      : null,
    userTotal: totals.get(row.role_id) ?? 0,
    version: row.version,
  }));
}
