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

/** Whom a password belongs to, as a directory says. */
export interface DirectoryProof {
  readonly providerName: string;
  /** The account that the user is, made where it may be. Throws 1011, 1044, 2031. */
  account(now: number): Promise<AccountRow>;
}

/** `failure`: the password is nobody's, and a directory could not be asked. */
export interface DirectoryAnswer {
  readonly proof: DirectoryProof | null;
  readonly failure: CallError | null;
}

/** Directories, which are asked behind the accounts of our own. */
export interface Directories {
  ask(typed: string, password: string): Promise<DirectoryAnswer>;
  /** Whether a directory knows the account by this password. Throws 1044. */
  proves(accountId: string, password: string): Promise<boolean>;
}

export interface SignInDeps {
  readonly directories: Directories;
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
 * `providerName`: of the directory that knew the password. Throws 2031 or 1005 with `retryAfter` in seconds, 1013, 1014, 2004; to who gave the right password 2031 for a disabled
 * account, 2076 where the second factor is missing, and 1015 where it is wrong; 1044 where a directory could not be asked, to who gave a
 * wrong password, and where its user may not have an account.
 */
export async function signInWithPassword(
  deps: SignInDeps,
  request: SignInRequest,
  now: number,
): Promise<{ readonly signedIn: SignedIn; readonly providerName: string | null }> {
  const { database } = deps;
  const named = await findAccountByLogin(database, request.account);
  const knownThere =
    named === undefined ? undefined : await findKnownBrowser(database, named.account_id, request.browserId);
  const attempt: LoginTry = {
    account: named?.account_id ?? request.account,
    address: request.address,
    knownBrowserId: knownThere === undefined ? null : browserHash(request.browserId),
  };
  await requireCaptcha(deps, request, attempt);
  const { account, providerName } = await provedAccount(deps, { request, named, attempt }, now);
  if (!account.is_enabled) throw new CallError('userLocked', { reason: 'disabled' });
  const isNamed = account.account_id === named?.account_id;
  const known = isNamed ? knownThere : await findKnownBrowser(database, account.account_id, request.browserId);
  const isProved = await requireTwoFactor(deps, account, request, known);
  const browser = {
    browserId: request.browserId,
    agent: request.agent,
    // Only a just authenticated browser becomes trusted.
    isTrusted: isProved && request.trustDevice === true,
  };
  await rememberBrowser(database, account.account_id, browser, now);
  if (request.signInKey !== undefined) await deps.signInKeys.register(account.account_id, request.signInKey, request);
  return { providerName, signedIn: await openSession(deps.sessions, account, request) };
}

/**
 * The own password first: who has it waits for no directory. Behind a wrong one directories are asked for every name alike. One that
 * cannot be asked refunds no try, or passwords of our own could be tried without an end meanwhile.
 */
async function provedAccount(
  { limit, hasher, directories }: SignInDeps,
  { request, named, attempt }: PasswordTry,
  now: number,
): Promise<{ readonly account: AccountRow; readonly providerName: string | null }> {
  let answer: DirectoryAnswer = { proof: null, failure: null };
  const isRight = await limit.check(attempt, async () => {
    if (await hasher.verify(named?.password_hash ?? null, request.password)) return true;
    answer = await directories.ask(request.account, request.password);
    return answer.proof !== null;
  });
  const { proof, failure } = answer as DirectoryAnswer;
  if (proof !== null) return { account: await proof.account(now), providerName: proof.providerName };
  if (isRight && named !== undefined) return { account: named, providerName: null };
  throw failure ?? new CallError('userPWDIncorrect');
}

interface PasswordTry {
  readonly request: SignInRequest;
  /** The account of our own that the name is of. */
  readonly named: AccountRow | undefined;
  readonly attempt: LoginTry;
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
