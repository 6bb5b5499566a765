// Sign-in: attempts are limited, unknown names take as long as known ones, and answers reveal nothing about accounts (SE-01 to SE-03).
import type { SignedIn, SignInKeyInput } from '@vedette/contract/calls/account.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { CAPTCHA_AFTER } from '@vedette/contract/limits.ts';
import { twoFactorChallenge } from '../../auth/two-factor-challenge.ts';
import type { LoginLimit, LoginTry } from '../../auth/login-limit.ts';
import type { PasswordHasher } from '../../auth/password-hash.ts';
import type { CaptchaCheck } from '../../auth/captcha-check.ts';
import type { TwoFactorAuth } from '../../auth/two-factor-auth.ts';
import type { Sessions, SessionStart } from '../../auth/sessions.ts';
import type { SignInKeys } from '../../auth/sign-in-keys.ts';
import { CallError } from '../../core/call-error.ts';
import { findAccountByLogin } from '../../database/account/account.queries.ts';
import type { Database } from '../../database/connection.ts';
import {
  browserHash,
  findKnownBrowser,
  type KnownBrowser,
  rememberBrowser,
} from '../../database/account/known-browser.queries.ts';
import type { AccountRow } from '../../database/schema/schema.ts';

export interface SignInDeps {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly limit: LoginLimit;
  readonly sessions: Sessions;
  readonly captcha: CaptchaCheck;
  readonly factors: TwoFactorAuth;
  readonly signInKeys: SignInKeys;
}

export interface SignInRequest {
  readonly account: string;
  readonly password: string;
  readonly browserId: string;
  readonly clientType: string;
  readonly captcha?: string | undefined;
  readonly verifyCode?: string | undefined;
  readonly trustDevice?: boolean | undefined;
  readonly signInKey?: SignInKeyInput | undefined;
  readonly address: string;
  readonly agent: string;
}

/**
 * Throws 2031 or 1005 with `retryAfter` in seconds, 1013, 1014, 2004; to who gave the right password 2031 for a disabled
 * account, 2076 where the second factor is missing, and 1015 where it is wrong.
 */
export async function signInWithPassword(deps: SignInDeps, request: SignInRequest, now: number): Promise<SignedIn> {
  const { database } = deps;
  const account = await findAccountByLogin(database, request.account);
  const known =
    account === undefined ? undefined : await findKnownBrowser(database, account.account_id, request.browserId);
  const attempt: LoginTry = {
    account: account?.account_id ?? request.account,
    address: request.address,
    knownBrowserId: known === undefined ? null : browserHash(request.browserId),
  };
  await requireCaptcha(deps, request, attempt);
  const isRight = await deps.limit.check(attempt, () =>
    deps.hasher.verify(account?.password_hash ?? null, request.password),
  );
  if (!isRight || account === undefined) throw new CallError('userPWDIncorrect');
  if (!account.is_enabled) throw new CallError('userLocked', { reason: 'disabled' });
  const isProved = await requireTwoFactor(deps, account, request, known);
  const browser = {
    browserId: request.browserId,
    agent: request.agent,
    // Only a just authenticated browser becomes trusted.
    isTrusted: isProved && request.trustDevice === true,
  };
  await rememberBrowser(database, account.account_id, browser, now);
  if (request.signInKey !== undefined) await deps.signInKeys.register(account.account_id, request.signInKey, request);
  return await openSession(deps.sessions, account, request);
}

/** Browsers need a captcha after a few failures; clients have the same budgets without one. */
async function requireCaptcha(deps: SignInDeps, request: SignInRequest, attempt: LoginTry): Promise<void> {
  if (request.clientType !== 'web') return;
  const failures = await deps.limit.failures(attempt);
  const isKnown = attempt.knownBrowserId !== null;
  const isDoubtful =
    failures.account >= CAPTCHA_AFTER.account || (!isKnown && failures.address >= CAPTCHA_AFTER.address);
  if (isDoubtful) await deps.captcha.verify(request.captcha);
}

/** True if a code was required and correct. */
async function requireTwoFactor(
  deps: SignInDeps,
  account: AccountRow,
  request: SignInRequest,
  known: KnownBrowser | undefined,
): Promise<boolean> {
  const factor = await deps.factors.enabled(account.account_id);
  if (factor === undefined) return false;
  // A key signs in without a code from now on: trust that was given before is not enough for that.
  if (known?.isTrusted === true && request.signInKey === undefined) return false;
  if (request.verifyCode === undefined) {
    await deps.factors.recordChallenge(account.account_id, request.address);
    throw new CallError('twofactorAuth', await twoFactorChallenge(deps.database, account.account_id));
  }
  const browser = known === undefined ? 'stranger' : browserHash(request.browserId);
  await deps.factors.check(account, factor, request.verifyCode, browser);
  return true;
}

export async function openSession(
  sessions: Sessions,
  account: { account_id: string; user_name: string; user_type: number },
  from: SessionStart,
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
