// Changes sub-accounts: allowed fields, and sessions that end.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { creatableUserTypes } from '@vedette/rules/decide/user-types.ts';
import { sql } from 'kysely';
import type { Principal } from '../../auth/principal.ts';
import { CallError, fieldError } from '../../core/call-error.ts';
import { accountsBelow } from '../../database/account/account.queries.ts';
import { claimKeys, userNameKey } from '../../database/account/account-keys.ts';
import type { Database } from '../../database/connection.ts';
import { dependentsOf } from '../../database/access/grant.queries.ts';
import {
  type RoleAssignment,
  rewriteRoleGrants,
  setRoleAssignment,
} from '../../database/access/role-assignment.queries.ts';
import { insertRevocations } from '../../database/access/revocation.queries.ts';
import type { AccountRow } from '../../database/schema/schema.ts';
import { endSessions } from '../../database/account/session.queries.ts';

/** Changes to who is an operator wait for each other, so that the last one stays. */
const OPERATOR_LOCK = 7_183_226;

export interface UserChange {
  readonly username?: string | undefined;
  readonly passwordHash?: string | undefined;
  readonly userType?: number | undefined;
  readonly roleIds?: readonly string[] | undefined;
  readonly organizationIds?: readonly string[] | undefined;
}

export function belowOf(principal: Principal) {
  return { accountId: principal.userId, isOperator: principal.userType === USER_TYPE.super };
}

/** Throws 1007 for an account that is not below the caller: itself, its owner, another's. */
export async function changeUser(
  database: Database,
  principal: Principal,
  userId: string,
  change: (transaction: Database, row: AccountRow) => Promise<void>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${OPERATOR_LOCK})`.execute(transaction);
    await refuseLostRank(transaction, principal);
    const row = await accountsBelow(transaction, belowOf(principal))
      .selectAll()
      .where('account_id', '=', userId)
      .executeTakeFirst();
    if (row === undefined) throw new CallError('notFound');
    await change(transaction, row);
  });
}

/**
 * Of two operators who take each other's place at the same time, the second is one no more. Since nobody changes the own account
 * here, whoever is an operator still is one afterwards: one is always left.
 */
async function refuseLostRank(database: Database, principal: Principal): Promise<void> {
  const row = await database
    .selectFrom('account')
    .select(['user_type', 'is_enabled'])
    .where('account_id', '=', principal.userId)
    .executeTakeFirst();
  if (row === undefined || !row.is_enabled || row.user_type !== principal.userType) {
    throw new CallError('permissionDenied');
  }
}

/** False where `version` is not the stored one any more. Within the transaction of `changeUser`. */
export async function applyChange(
  database: Database,
  principal: Principal,
  row: AccountRow,
  order: { change: UserChange; version: number; now: number },
): Promise<boolean> {
  const { change, version, now } = order;
  if (row.member_version !== version) return false;
  refuseType(principal, row, change.userType);
  await refuseRoleAssignment(database, principal, row, change);
  await claimKeys(database, row.account_id, { userName: change.username });
  await database
    .updateTable('account')
    .set((expression) => ({
      member_version: expression('member_version', '+', 1),
      ...(change.username !== undefined && {
        user_name: change.username,
        user_name_key: userNameKey(change.username),
      }),
      ...(change.passwordHash !== undefined && { password_hash: change.passwordHash, has_password: true }),
      ...(change.userType !== undefined && { user_type: change.userType }),
    }))
    .where('account_id', '=', row.account_id)
    .execute();
  await assignRoles(database, row.account_id, change);
  await notifyRightsChanged(database, row.account_id, now);
  return true;
}

/** Writes roles and places of a sub-account, and the grants that follow. */
export async function assignRoles(database: Database, accountId: string, placement: UserChange): Promise<void> {
  const { roleIds, organizationIds } = placement;
  if (roleIds === undefined && organizationIds === undefined) return;
  const change: Partial<RoleAssignment> = {
    ...(roleIds !== undefined && { roleIds }),
    ...(organizationIds !== undefined && { organizationIds }),
  };
  await setRoleAssignment(database, accountId, change);
  await rewriteRoleGrants(database, [accountId]);
}

/** A sub-account stays one, and none becomes one: what it owns would have no owner. */
function refuseType(principal: Principal, row: AccountRow, userType: number | undefined): void {
  if (userType === undefined || userType === row.user_type) return;
  if (!creatableUserTypes(principal.userType).includes(userType)) throw new CallError('permissionDenied');
  if (row.user_type === USER_TYPE.sub || userType === USER_TYPE.sub) throw fieldError({ userType: 'notAllowed' });
}

async function refuseRoleAssignment(
  database: Database,
  principal: Principal,
  row: AccountRow,
  { roleIds, organizationIds }: UserChange,
): Promise<void> {
  if (roleIds === undefined && organizationIds === undefined) return;
  if (row.user_type !== USER_TYPE.sub) {
    if ((roleIds ?? []).length > 0) throw fieldError({ roleIds: 'notAllowed' });
    if ((organizationIds ?? []).length > 0) throw fieldError({ organizationIds: 'notAllowed' });
    return;
  }
  // The operator runs other owners' accounts, not what they may see.
  if (row.owner_id !== principal.userId) throw new CallError('permissionDenied');
  await refuseForeignAssignment(database, principal.userId, {
    roleIds: roleIds ?? [],
    organizationIds: organizationIds ?? [],
  });
}

/** Foreign roles and organisations answer as missing ones. */
export async function refuseForeignAssignment(
  database: Database,
  ownerId: string,
  placement: RoleAssignment,
): Promise<void> {
  const roles = [...new Set(placement.roleIds)];
  const organizations = [...new Set(placement.organizationIds)];
  if (roles.length > 0) {
    const rows = await database
      .selectFrom('role')
      .select('role_id')
      .where('owner_id', '=', ownerId)
      .where('role_id', 'in', roles)
      .execute();
    if (rows.length < roles.length) throw new CallError('notFound');
  }
  if (organizations.length > 0) {
    const rows = await database
      .selectFrom('organization')
      .select('organization_id')
      .where('owner_id', '=', ownerId)
      .where('organization_id', 'in', organizations)
      .execute();
    if (rows.length < organizations.length) throw new CallError('notFound');
  }
}

/** The account's sessions, and whatever others see through it: sub-accounts and those it shares with. */
export async function endEverything(database: Database, accountId: string, endCode: number, now: number) {
  await endSessions(database, { accountId }, endCode, now);
  await notifyRightsChanged(database, accountId, now);
}

/** Running sessions, streams and sockets are asked about again: of the account, and of who sees something through it. */
async function notifyRightsChanged(database: Database, accountId: string, now: number): Promise<void> {
  const concerned = [accountId, ...(await dependentsOf(database, accountId))];
  await insertRevocations(
    database,
    now,
    concerned.map((id) => ({ accountId: id, sessionId: null, deviceSerial: null, reason: 'account' as const })),
  );
}
