// Handlers of user/*: accounts that an account creates below itself.
import type { userCalls } from '@vedette/contract/calls/user.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { creatableUserTypes } from '@vedette/rules/decide/user-types.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { passwordProblem, usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { sql } from 'kysely';
import type { PasswordHasher } from '../../auth/password-hash.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError, fieldError, refuseBadFields } from '../../call-error.ts';
import {
  accountsBelow,
  countOtherOperators,
  deleteAccount,
  insertAccount,
  setEnabled,
} from '../../database/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import { requestFootageRemoval } from '../../database/channel.queries.ts';
import { deviceIdsOf } from '../../database/device.queries.ts';
import { dependentsOf, insertGrants } from '../../database/grant.queries.ts';
import { findOrganization } from '../../database/organization.queries.ts';
import { insertRevocations } from '../../database/revocation.queries.ts';
import type { AccountRow } from '../../database/schema.ts';
import { likePattern } from '../../database/search-text.ts';
import { endSessions } from '../../database/session.queries.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import type { Handlers } from '../../http/handler.ts';
import { newId } from '../../randomness.ts';
import type { SiteKeeper } from '../../site-link/site-keeper.ts';

export interface UserParts {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly keeper: SiteKeeper;
}

/** What a sub-account may do in the organisations it is given while it has no role. */
const VIEWER: readonly Permission[] = ['Realplay', 'Replay'];
/** Changes to who is an operator wait for each other, so that the last one stays. */
const OPERATOR_LOCK = 7_183_226;

export function userHandlers(parts: UserParts): Handlers<keyof typeof userCalls> {
  const { database } = parts;
  return {
    'user/add': async ({ input, principal, now }) => {
      refuseBadFields({ username: usernameProblem(input.username), password: passwordProblem(input.password) });
      if (!creatableUserTypes(principal.userType).includes(input.userType)) throw new CallError('permissionDenied');
      if (input.roleIds.length > 0) throw new CallError('notFound', { roleIds: 'notAllowed' });
      const isSub = input.userType === USER_TYPE.sub;
      if (!isSub && input.organizationIds.length > 0) throw fieldError({ organizationIds: 'notAllowed' });
      await refuseForeignOrganizations(database, principal, input.organizationIds);
      const userId = newId();
      const passwordHash = await parts.hasher.hash(input.password);
      await createUser(database, principal, { ...input, userId, passwordHash, isSub }, now);
      return { userId };
    },
    'user/list': async ({ input, principal }) => {
      const { offset, limit } = pageRange(input);
      let query = accountsBelow(database, belowOf(principal));
      if (input.keyWord !== undefined && input.keyWord !== '') {
        query = query.where(sql<boolean>`user_name_key like ${likePattern(input.keyWord)}`);
      }
      const total = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const rows = await query.selectAll().orderBy('user_name_key').offset(offset).limit(limit).execute();
      return { total: total.total, userList: rows.map(toUser) };
    },
    'user/enable': async ({ input, principal, now }) => {
      await changeUser(database, principal, input.userId, async (transaction, row) => {
        if (row.user_type === USER_TYPE.super && !input.isEnabled) await keepOneOperator(transaction, row);
        await setEnabled(transaction, row.account_id, input.isEnabled);
        // An administrator's lock: live sessions hear 2031.
        if (!input.isEnabled) await endEverything(transaction, row.account_id, 2031, now);
      });
      return {};
    },
    'user/delete': async ({ input, principal, now }) => {
      await changeUser(database, principal, input.userId, async (transaction, row) => {
        if (row.user_type === USER_TYPE.super) await keepOneOperator(transaction, row);
        await endEverything(transaction, row.account_id, 1001, now);
        await requestFootageRemoval(transaction, await deviceIdsOf(transaction, row.account_id), now);
        await deleteAccount(transaction, row.account_id);
      });
      await parts.keeper.everythingChanged();
      return {};
    },
  };
}

interface NewUser {
  readonly userId: string;
  readonly username: string;
  readonly userType: number;
  readonly passwordHash: string;
  readonly isSub: boolean;
  readonly organizationIds: readonly string[];
}

async function createUser(database: Database, creator: Principal, user: NewUser, now: number): Promise<void> {
  try {
    await database.transaction().execute(async (transaction) => {
      await insertAccount(transaction, {
        accountId: user.userId,
        userName: user.username,
        passwordHash: user.passwordHash,
        userType: user.userType,
        ownerId: user.isSub ? creator.userId : null,
        createdBy: creator.userId,
        createdAt: now,
      });
      await insertGrants(
        transaction,
        [...new Set(user.organizationIds)].map((organizationId) => ({
          grant_id: newId(),
          grantee_id: user.userId,
          owner_id: creator.userId,
          object_kind: 'organization' as const,
          organization_id: organizationId,
          device_id: null,
          channel_no: null,
          permissions: [...VIEWER],
          start_time: null,
          end_time: null,
          source: 'role' as const,
          share_id: null,
        })),
      );
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new CallError('alreadyExists', { username: 'notAllowed' });
    throw error;
  }
}

/** A foreign organisation answers as a missing one. */
async function refuseForeignOrganizations(database: Database, owner: Principal, ids: readonly string[]): Promise<void> {
  for (const organizationId of ids) {
    const row = await findOrganization(database, organizationId);
    if (row === undefined || row.owner_id !== owner.userId) throw new CallError('notFound');
  }
}

function belowOf(principal: Principal) {
  return { accountId: principal.userId, isOperator: principal.userType === USER_TYPE.super };
}

async function changeUser(
  database: Database,
  principal: Principal,
  userId: string,
  change: (transaction: Database, row: AccountRow) => Promise<void>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${OPERATOR_LOCK})`.execute(transaction);
    const row = await accountsBelow(transaction, belowOf(principal))
      .selectAll()
      .where('account_id', '=', userId)
      .executeTakeFirst();
    if (row === undefined) throw new CallError('notFound');
    await change(transaction, row);
  });
}

async function keepOneOperator(database: Database, row: AccountRow): Promise<void> {
  if ((await countOtherOperators(database, row.account_id)) === 0) throw new CallError('permissionDenied');
}

/** The account's sessions, and whatever others see through it: sub-accounts and those it shares with. */
async function endEverything(database: Database, accountId: string, endCode: number, now: number): Promise<void> {
  await endSessions(database, { accountId }, endCode);
  const concerned = [accountId, ...(await dependentsOf(database, accountId))];
  await insertRevocations(
    database,
    now,
    concerned.map((id) => ({ accountId: id, sessionId: null, deviceSerial: null, reason: 'account' as const })),
  );
}

function toUser(row: AccountRow) {
  return {
    userId: row.account_id,
    userName: row.user_name,
    userType: row.user_type,
    isEnabled: row.is_enabled,
    createdAt: row.created_at,
  };
}
