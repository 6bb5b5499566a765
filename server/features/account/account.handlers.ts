// Handlers of account/*, permission/list, server/version and event/server.
import type { accountCalls } from '@vedette/contract/calls/account.ts';
import { PERMISSIONS, type Permission } from '@vedette/contract/permissions.ts';
import { accountPermissions } from '@vedette/rules/decide/account-flags.ts';
import { passwordProblem, usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { sql } from 'kysely';
import type { AttemptLimiter } from '../../auth/attempt-limiter.ts';
import { loadRights } from '../../auth/rights.ts';
import type { SetupSecret } from '../../auth/setup-secret.ts';
import { CallError, refuseBadFields } from '../../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { accountsBelow, hasAccounts, insertAccount } from '../../database/account/account.queries.ts';
import { enabledDirectories, enabledIdentityProviders } from '../../database/account/identity-provider.queries.ts';
import { rememberBrowser } from '../../database/account/known-browser.queries.ts';
import type { Handlers, SignedInContext } from '../../http/handler.ts';
import { webSocketUrl } from '../../http/public-origin.ts';
import type { Messenger } from '../../mail/messenger.ts';
import { newId } from '@vedette/foundation/random/ids.ts';
import type { AccountSettings } from '../../settings/account-settings.ts';
import { demandPassword, ownAccount, replacePassword } from './own-password.ts';
import { changeProfile, profileOf } from './profile.ts';
import { canRegister } from './account-access.handlers.ts';
import { FIRST_USER_TYPE, openSession, type SignInDeps, signInWithPassword } from './sign-in.ts';

export interface AccountDeps extends SignInDeps {
  readonly clock: Clock;
  readonly setupSecret: SetupSecret;
  readonly attempts: AttemptLimiter;
  readonly messenger: Messenger;
  readonly accountSettings: AccountSettings;
  readonly version: string;
  readonly commit: string;
  /** Emitted once the first administrator exists. */
  readonly onSetup: (accountId: string) => Promise<void>;
}

type AccountPath = Exclude<
  keyof typeof accountCalls,
  'account/logout' | 'token/check' | 'account/session/list' | 'account/session/revoke'
>;

/** Serialized over all servers of this database. */
const SETUP_LOCK = 7_183_225;

export function accountHandlers(deps: AccountDeps): Handlers<AccountPath> {
  const { database } = deps;
  return {
    'account/login': async ({ input, address, agent, now, audit }) => {
      const { signedIn, providerName } = await signInWithPassword(deps, { ...input, address, agent }, now);
      audit.object = providerName;
      audit.accountId = signedIn.userId;
      return signedIn;
    },
    'account/setup': async ({ input, address, agent, now, audit }) => {
      if (!deps.setupSecret.isRight(input.secret)) throw new CallError('notFound');
      refuseBadFields({ username: usernameProblem(input.username), password: passwordProblem(input.password) });
      const account = await createFirstAccount(deps, { ...input, agent }, now);
      audit.accountId = account.account_id;
      deps.setupSecret.spend();
      await deps.onSetup(account.account_id);
      const { browserId = '' } = input;
      return await openSession(deps.sessions, account, { browserId, clientType: 'web', address, agent });
    },
    'account/info': async ({ principal }) => await profileOf(database, await ownAccount(database, principal)),
    'account/update': async ({ input, principal }) => await changeProfile(deps, principal, input),
    'account/password/change': async ({ input, principal, now }) => {
      await changePassword(deps, principal, input, now);
      return {};
    },
    'permission/list': async ({ input, principal, rights }) => {
      const asked = input.userId;
      const held =
        asked === undefined || asked === principal.userId
          ? await permissionsOfSelf(rights)
          : await permissionsOfUser(deps, principal, asked);
      return { permissionList: held, flags: flagsOf(held) };
    },
    'server/version': async ({ address, now }) => ({
      version: deps.version,
      commit: deps.commit,
      softVersion: softVersion(deps.version),
      clientIp: address,
      needsSetup: !(await hasAccounts(database)),
      ...(await offerOf(deps, now)),
    }),
    'event/server': async ({ origin }) => ({ url: webSocketUrl(origin, '/ws') }),
  };
}

/** VE-04: four dotted numbers. */
function softVersion(version: string): string {
  const numbers = version.split(/[.-]/).filter((part) => /^\d+$/.test(part));
  return [...numbers, '0', '0', '0', '0'].slice(0, 4).join('.');
}

async function createFirstAccount(
  deps: AccountDeps,
  input: { username: string; password: string; browserId?: string | undefined; agent: string },
  now: number,
): Promise<{ account_id: string; user_name: string; user_type: number }> {
  const passwordHash = await deps.hasher.hash(input.password);
  const account = { account_id: newId(), user_name: input.username, user_type: FIRST_USER_TYPE };
  await deps.database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${SETUP_LOCK})`.execute(transaction);
    if (await hasAccounts(transaction)) throw new CallError('notFound');
    await insertAccount(transaction, {
      accountId: account.account_id,
      userName: account.user_name,
      passwordHash,
      userType: account.user_type,
      ownerId: null,
      createdBy: null,
      createdAt: now,
    });
    const { browserId, agent } = input;
    if (browserId !== undefined) await rememberBrowser(transaction, account.account_id, { browserId, agent }, now);
  });
  return account;
}

/** All other sessions end with the old password. */
async function changePassword(
  deps: AccountDeps,
  principal: SignedInContext['principal'],
  input: { oldPassword: string; password: string },
  now: number,
): Promise<void> {
  refuseBadFields({ password: passwordProblem(input.password) });
  await demandPassword(deps, principal, input.oldPassword);
  const passwordHash = await deps.hasher.hash(input.password);
  await deps.database.transaction().execute(async (transaction) => {
    await replacePassword(transaction, principal.userId, { passwordHash, except: principal.sessionId }, now);
  });
}

/** Shown without a session: maintenance, and which ways to sign in or register are open. */
async function offerOf(deps: AccountDeps, now: number) {
  const { maintenance, environment } = (await deps.accountSettings.read()).config;
  return {
    phoneCode: environment.phoneCode,
    maintenance: maintenance === null || maintenance.endTime <= now ? null : maintenance,
    codeTargets: await deps.messenger.kinds(),
    canRegister: await canRegister(deps),
    directoryNameList: (await enabledDirectories(deps.database)).map((row) => row.provider_name),
    identityProviderList: (await enabledIdentityProviders(deps.database)).map((row) => ({
      providerId: row.provider_id,
      providerName: row.provider_name,
    })),
  };
}

async function permissionsOfSelf(rights: SignedInContext['rights']): Promise<Permission[]> {
  const { subject, grants, now } = await rights();
  return accountPermissions(subject, grants, now);
}

/** Of an account below the caller; others answer as missing. */
async function permissionsOfUser(
  deps: AccountDeps,
  principal: SignedInContext['principal'],
  userId: string,
): Promise<Permission[]> {
  const below = { accountId: principal.userId, isOperator: principal.userType === FIRST_USER_TYPE };
  const row = await accountsBelow(deps.database, below)
    .select(['account_id', 'user_name', 'user_type', 'owner_id'])
    .where('account_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) throw new CallError('notFound');
  const { subject, grants, now } = await loadRights(deps.database, deps.clock, {
    userId: row.account_id,
    userName: row.user_name,
    userType: row.user_type,
    ownerId: row.owner_id,
    sessionId: '',
  });
  return accountPermissions(subject, grants, now);
}

function flagsOf(held: readonly Permission[]): Record<Permission, boolean> {
  const flags = PERMISSIONS.map((permission) => [permission, held.includes(permission)]);
  return Object.fromEntries(flags) as Record<Permission, boolean>;
}
