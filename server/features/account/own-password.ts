// Asks for the account's own password before irreversible actions, and replaces it; other sessions end then.
import { CallError, requireFound } from '../../core/call-error.ts';
import { endSessionsNow } from '../../auth/ended-sessions.ts';
import type { LoginLimit } from '../../auth/login-limit.ts';
import type { PasswordHasher } from '../../auth/password-hash.ts';
import type { Principal } from '../../auth/principal.ts';
import { findAccount, setPasswordHash } from '../../database/account/account.queries.ts';
import { dropResetLink } from '../../database/account/account-reset.queries.ts';
import type { Database } from '../../database/connection.ts';
import { distrustBrowsers } from '../../database/account/known-browser.queries.ts';
import { dropSignInKeys } from '../../database/account/sign-in-key.queries.ts';
import type { AccountRow } from '../../database/schema/schema.ts';
import type { Directories } from './sign-in.ts';
import { withdrawAppGrants } from '../../database/app/app-grant.queries.ts';

export interface OwnPasswordDeps {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly limit: LoginLimit;
}

export async function ownAccount(database: Database, principal: { userId: string }): Promise<AccountRow> {
  return requireFound(await findAccount(database, principal.userId), 'tokenInvalid');
}

/** Throws 2004, or 1005 after too many wrong ones. Attempts count per session. */
export async function demandPassword(
  deps: OwnPasswordDeps,
  principal: Principal,
  password: string,
): Promise<AccountRow> {
  const account = await ownAccount(deps.database, principal);
  const attempt = {
    account: account.account_id,
    address: `session ${principal.sessionId}`,
    knownBrowserId: `session ${principal.sessionId}`,
  };
  const isRight = await deps.limit.check(attempt, () => deps.hasher.verify(account.password_hash, password));
  if (!isRight) throw new CallError('userPWDIncorrect');
  return account;
}

/** The same, or for an account without a password the one that its directory knows. Throws 1044 too. */
export async function demandProof(
  deps: OwnPasswordDeps & { readonly directories: Directories },
  principal: Principal,
  password: string,
): Promise<AccountRow> {
  const account = await ownAccount(deps.database, principal);
  if (account.has_password) return await demandPassword(deps, principal, password);
  const { sessionId } = principal;
  const attempt = {
    account: account.account_id,
    address: `session ${sessionId}`,
    knownBrowserId: `session ${sessionId}`,
  };
  const isRight = await deps.limit.check(attempt, () => deps.directories.proves(account.account_id, password));
  if (!isRight) throw new CallError('userPWDIncorrect');
  return account;
}

/** Within a transaction. `except`: the session to keep. */
export async function replacePassword(
  transaction: Database,
  accountId: string,
  change: { readonly passwordHash: string; readonly except?: string },
  now: number,
): Promise<void> {
  const { passwordHash, except } = change;
  await setPasswordHash(transaction, accountId, passwordHash);
  await dropResetLink(transaction, accountId);
  // Trust of browsers and keys ends with the old password, and what apps were allowed: somebody who knew it may have let one in.
  await distrustBrowsers(transaction, accountId);
  await dropSignInKeys(transaction, accountId);
  await withdrawAppGrants(transaction, { accountId }, now);
  await endSessionsNow(transaction, { accountId, ...(except !== undefined && { except }) }, now);
}
