// Handlers of user/*: sub-accounts of an account.
import type { User, userCalls } from '@vedette/contract/calls/user.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { creatableUserTypes } from '@vedette/rules/decide/user-types.ts';
import { pageRange } from '@vedette/rules/paging.ts';
import { passwordProblem, usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { sql } from 'kysely';
import type { AttemptLimiter } from '../../auth/attempt-limiter.ts';
import { askerOf, withNameEnumerationLimit } from '../../auth/name-enumeration-limit.ts';
import type { PasswordHasher } from '../../auth/password-hash.ts';
import type { Principal } from '../../auth/principal.ts';
import { CallError, fieldError, refuseBadFields, requireFound } from '../../core/call-error.ts';
import { accountsBelow, deleteAccount, insertAccount, setEnabled } from '../../database/account/account.queries.ts';
import { eraseAlarms } from '../../database/alarm/alarm-erase.queries.ts';
import { eraseSightings } from '../../database/sighting/sighting-store.queries.ts';
import { requestRecordingRemoval } from '../../database/device/channel.queries.ts';
import type { Database } from '../../database/connection.ts';
import { deviceIdsOf } from '../../database/device/device.queries.ts';
import { namesOfAccounts } from '../../database/access/organization.queries.ts';
import { roleAssignmentsOf } from '../../database/access/role-assignment.queries.ts';
import type { AccountRow } from '../../database/schema/schema.ts';
import { likePattern } from '../../database/search-text.ts';
import type { CallRequest, Handlers } from '../../http/handler.ts';
import type { Messenger } from '../../mail/messenger.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { AccountSettings } from '../../settings/account-settings.ts';
import type { AssignmentSync } from '../../site-link/assignment-sync.ts';
import { reserveQuota } from '../../quota/reserve-quota.ts';
import {
  audiencesOf,
  passwordWasSet,
  refuseDirectReset,
  type ResetNotification,
  notifyReset,
} from './account-reset.ts';
import {
  applyChange,
  belowOf,
  changeUser,
  endEverything,
  assignRoles,
  refuseForeignAssignment,
} from './user-change.ts';

export interface UserDeps {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly assignmentSync: AssignmentSync;
  readonly attempts: AttemptLimiter;
  readonly messenger: Messenger;
  readonly accountSettings: AccountSettings;
}

type UserPath = Exclude<keyof typeof userCalls, 'user/view' | `user/${string}/reset`>;

export function userHandlers(deps: UserDeps): Handlers<UserPath> {
  const { database } = deps;
  return {
    'user/add': (request) => addUser(deps, request),
    'user/update': async ({ input, principal, now, audit }) => {
      const { username, password } = input;
      refuseBadFields({
        ...(username !== undefined && { username: usernameProblem(username) }),
        ...(password !== undefined && { password: passwordProblem(password) }),
      });
      const passwordHash = password === undefined ? undefined : await deps.hasher.hash(password);
      const kinds = await deps.messenger.kinds();
      let isDone = false;
      let news: ResetNotification | null = null;
      const change = () =>
        changeUser(database, principal, input.userId, async (transaction, row) => {
          audit.ownerIds.push(...audiencesOf(row));
          const order = { change: { ...input, passwordHash }, version: input.version, now };
          if (passwordHash !== undefined) refuseDirectReset({ principal, row, now }, kinds);
          isDone = await applyChange(transaction, principal, row, order);
          if (isDone && passwordHash !== undefined) news = await passwordWasSet(transaction, { principal, row, now });
        });
      const asker = { askerId: askerOf(principal), field: 'username' };
      await (username === undefined ? change() : withNameEnumerationLimit(deps.attempts, asker, change));
      notifyReset(deps.messenger, kinds, news);
      const user = await oneUser(database, principal, input.userId);
      if (!isDone) throw new CallError('stale', user);
      return { user };
    },
    'user/list': async ({ input, principal }) => {
      const { offset, limit } = pageRange(input);
      let query = accountsBelow(database, belowOf(principal));
      if (input.keyWord !== undefined && input.keyWord !== '') {
        query = query.where(sql<boolean>`user_name_key like ${likePattern(input.keyWord)}`);
      }
      const total = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      const rows = await query.selectAll().orderBy('user_name_key').offset(offset).limit(limit).execute();
      return { total: total.total, userList: await toUsers(database, principal, rows) };
    },
    'user/enable': async ({ input, principal, now }) => {
      await changeUser(database, principal, input.userId, async (transaction, row) => {
        await setEnabled(transaction, row.account_id, input.isEnabled);
        // An administrator's lock: live sessions hear 2031.
        if (!input.isEnabled) await endEverything(transaction, row.account_id, 2031, now);
      });
      return {};
    },
    'user/delete': async ({ input, principal, now }) => {
      await changeUser(database, principal, input.userId, async (transaction, row) => {
        await endEverything(transaction, row.account_id, 1001, now);
        const deviceIds = await deviceIdsOf(transaction, row.account_id);
        await requestRecordingRemoval(transaction, deviceIds, now);
        await eraseAlarms(transaction, row.account_id, deviceIds);
        await eraseSightings(transaction, row.account_id);
        await deleteAccount(transaction, row.account_id);
      });
      await deps.assignmentSync.everythingChanged();
      return {};
    },
  };
}

async function addUser(
  deps: UserDeps,
  { input, principal, now }: CallRequest<'user/add'>,
): Promise<{ userId: string }> {
  const { database, hasher } = deps;
  refuseBadFields({ username: usernameProblem(input.username), password: passwordProblem(input.password) });
  if (!creatableUserTypes(principal.userType).includes(input.userType)) throw new CallError('permissionDenied');
  const isSub = input.userType === USER_TYPE.sub;
  if (!isSub && input.organizationIds.length > 0) throw fieldError({ organizationIds: 'notAllowed' });
  if (!isSub && input.roleIds.length > 0) throw fieldError({ roleIds: 'notAllowed' });
  await refuseForeignAssignment(database, principal.userId, input);
  const userId = newId();
  const passwordHash = await hasher.hash(input.password);
  await createUser(deps, principal, { ...input, userId, passwordHash, isSub }, now);
  return { userId };
}

interface NewUser {
  readonly userId: string;
  readonly username: string;
  readonly userType: number;
  readonly passwordHash: string;
  readonly isSub: boolean;
  readonly roleIds: readonly string[];
  readonly organizationIds: readonly string[];
}

async function createUser(
  { database, attempts }: UserDeps,
  creator: Principal,
  user: NewUser,
  now: number,
): Promise<void> {
  await withNameEnumerationLimit(attempts, { askerId: askerOf(creator), field: 'username' }, () =>
    database.transaction().execute(async (transaction) => {
      if (user.isSub) await reserveQuota(transaction, { accountId: creator.userId, now, take: { subAccounts: 1 } });
      await insertAccount(transaction, {
        accountId: user.userId,
        userName: user.username,
        passwordHash: user.passwordHash,
        userType: user.userType,
        ownerId: user.isSub ? creator.userId : null,
        createdBy: creator.userId,
        createdAt: now,
      });
      if (user.isSub) await assignRoles(transaction, user.userId, user);
    }),
  );
}

async function oneUser(database: Database, principal: Principal, userId: string): Promise<User> {
  const row = await accountsBelow(database, belowOf(principal))
    .selectAll()
    .where('account_id', '=', userId)
    .executeTakeFirst();
  const [user] = row === undefined ? [] : await toUsers(database, principal, [row]);
  return requireFound(user, 'notFound');
}

/** Roles and places are told of the own sub-accounts alone. */
async function toUsers(database: Database, principal: Principal, rows: readonly AccountRow[]): Promise<User[]> {
  const own = rows.filter((row) => row.owner_id === principal.userId).map((row) => row.account_id);
  const owners = rows.flatMap((row) => (row.owner_id === null ? [] : [row.owner_id]));
  const [placements, names] = await Promise.all([roleAssignmentsOf(database, own), namesOfAccounts(database, owners)]);
  return rows.map((row) => {
    const { roleIds = [], organizationIds = [] } = placements.get(row.account_id) ?? {};
    return {
      userId: row.account_id,
      userName: row.user_name,
      userType: row.user_type,
      isEnabled: row.is_enabled,
      createdAt: row.created_at,
      ownerName: names.get(row.owner_id ?? '') ?? '',
      roleIds: [...roleIds],
      organizationIds: [...organizationIds],
      version: row.member_version,
    };
  });
}
