// Signing in: tries are bounded, unknown names take as long as known ones, and the answer tells nothing about accounts (SE-01 to SE-03).
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import type { LoginLimit, LoginTry } from '../../auth/login-limit.ts';
import type { PasswordHasher } from '../../auth/password-hash.ts';
import type { Sessions } from '../../auth/sessions.ts';
import { CallError } from '../../call-error.ts';
import { findAccountByLogin, isKnownBrowser, rememberBrowser } from '../../database/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import type { AccountRow } from '../../database/schema.ts';

export interface SignInParts {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly limit: LoginLimit;
  readonly sessions: Sessions;
}

export interface SignInRequest {
  readonly account: string;
  readonly password: string;
  readonly browserId: string;
  readonly clientType: string;
  readonly address: string;
}

/** Throws 1005 with `retryAfter` in seconds, 2004, or 2031 to who gave the right password of a disabled account. */
export async function signInWithPassword(parts: SignInParts, request: SignInRequest, now: number): Promise<SignedIn> {
  const account = await findAccountByLogin(parts.database, request.account);
  const isKnown =
    account !== undefined && (await isKnownBrowser(parts.database, account.account_id, request.browserId));
  const attempt: LoginTry = {
    account: request.account,
    address: request.address,
    knownBrowserId: isKnown ? request.browserId : null,
  };
  const waitMs = parts.limit.begin(attempt);
  if (waitMs > 0) throw new CallError('tooManyRequests', { retryAfter: Math.ceil(waitMs / 1000) });
  const isRight = await verifyTry(parts, attempt, account, request.password);
  if (!isRight || account === undefined) throw new CallError('userPWDIncorrect');
  if (!account.is_enabled) throw new CallError('userLocked');
  await rememberBrowser(parts.database, account.account_id, request.browserId, now);
  return await openSession(parts.sessions, account, request);
}

async function verifyTry(
  parts: SignInParts,
  attempt: LoginTry,
  account: AccountRow | undefined,
  password: string,
): Promise<boolean> {
  let isRight = false;
  try {
    isRight = await parts.hasher.verify(account?.password_hash ?? null, password);
  } finally {
    parts.limit.end(attempt, isRight);
  }
  return isRight;
}

export async function openSession(
  sessions: Sessions,
  account: { account_id: string; user_name: string; user_type: number },
  from: { browserId: string; clientType: string; address: string },
): Promise<SignedIn> {
  const { accessToken, expireTime } = await sessions.open(account.account_id, from);
  return {
    accessToken,
    expireTime,
    serverAddress: '',
    userId: account.account_id,
    userName: account.user_name,
    userType: account.user_type,
  };
}

/** The first administrator is the operator. */
export const FIRST_USER_TYPE = USER_TYPE.super;
