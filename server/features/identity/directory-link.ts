// Links the signed-in account to the user of a directory whose name and password are typed; tries count as those of a sign-in.
import type { CallRequest } from '../../http/handler.ts';
import type { LoginLimit } from '../../auth/login-limit.ts';
import { CallError } from '../../core/call-error.ts';
import { findAccountByLogin } from '../../database/account/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { DirectorySignIn, DirectoryUserAnswer } from './directory-sign-in.ts';
import { linkAccount } from './identity-accounts.ts';

export interface DirectoryLinkDeps {
  readonly database: Database;
  readonly limit: LoginLimit;
  readonly directories: DirectorySignIn;
}

/** Throws 1007, 2004, 1044, and 2031 or 1005 with `retryAfter` in seconds. */
export async function linkDirectory(
  { database, limit, directories }: DirectoryLinkDeps,
  { input, principal, address, now, audit }: CallRequest<'identity/link/directory'>,
): Promise<void> {
  const row = await directories.enabled(input.providerId);
  if (row === undefined) throw new CallError('notFound');
  audit.object = row.provider_name;
  const named = await findAccountByLogin(database, input.userName);
  // The same budgets as at the sign-in page, or a session would have tries of its own for everybody there.
  const user = { account: named?.account_id ?? input.userName, address, knownBrowserId: null };
  const session = `session ${principal.sessionId}`;
  const own = { account: principal.userId, address: session, knownBrowserId: session };
  let answer: DirectoryUserAnswer = { user: null, failure: null };
  const isRight = await limit.check(own, () =>
    limit.check(user, async () => {
      answer = await directories.userOf(row, { typed: input.userName, password: input.password });
      return answer.user !== null;
    }),
  );
  const { user: proved, failure } = answer as DirectoryUserAnswer;
  if (!isRight || proved === null) throw failure ?? new CallError('userPWDIncorrect');
  await linkAccount(database, principal.userId, { ...proved, now });
}
