// Two-factor authentication of an account: set-up, enabling, verification at sign-in, disabling (SE-15).
import { createHash } from 'node:crypto';
import type { TwoFactorMethod } from '@vedette/contract/calls/account.ts';
import { CODE_LIMITS, RECOVERY_CODES } from '@vedette/contract/limits.ts';
import { CallError, requireFound } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SecondFactorRow } from '../database/schema/account-schema.ts';
import type { Database } from '../database/connection.ts';
import { openVideo } from '../database/account/account-reset.queries.ts';
import { distrustBrowsers } from '../database/account/known-browser.queries.ts';
import { dropSignInKeys } from '../database/account/sign-in-key.queries.ts';
import type { AccountRow } from '../database/schema/schema.ts';
import {
  accountsWithPlainCodes,
  enableTwoFactor,
  findTwoFactor,
  lockPlainCodes,
  prepareTwoFactor,
  type RecoveryCodes,
  removeTwoFactor,
  replaceRecoveryCodes,
  storeHardenedCodes,
  consumeRecoveryCode,
  consumeTotpStep,
} from '../database/account/two-factor.queries.ts';
import { forgetProofs } from '../database/account/session.queries.ts';
import { newSalt, newReadable } from '@vedette/foundation/random/secrets.ts';
import { type AttemptLimiter, type AttemptBudget } from './attempt-limiter.ts';
import { contactOf, maskedContact } from './contact.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { SecretBox } from '../core/secret-box.ts';
import { matchingStep, newTotpSecret, otpauthUrl } from './totp.ts';
import type { VerificationCodes } from './verification-codes.ts';

const ISSUER = 'Vedette';
const SIX_DIGITS = /^\d{6}$/;

export interface TwoFactorSetup {
  readonly secret: string;
  readonly otpauthUrl: string;
  readonly target: string;
}

export interface TwoFactorAuthDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly attempts: AttemptLimiter;
  readonly codes: VerificationCodes;
  readonly hasher: PasswordHasher;
}

export class TwoFactorAuth {
  readonly #deps: TwoFactorAuthDeps;

  constructor(deps: TwoFactorAuthDeps) {
    this.#deps = deps;
  }

  /** The second factor required at sign-in; undefined if it is only prepared. */
  async enabled(accountId: string): Promise<SecondFactorRow | undefined> {
    const factor = await findTwoFactor(this.#deps.database, accountId);
    return factor?.is_enabled === true ? factor : undefined;
  }

  /** Throws 1016 if already enabled, 1006 if codes cannot be sent to this account. */
  async begin(account: AccountRow, method: TwoFactorMethod): Promise<TwoFactorSetup> {
    const contact = contactOf(account);
    if (method === 'message' && contact === null) throw new CallError('functionNotSupported');
    const secret = method === 'totp' ? newTotpSecret() : '';
    const sealed = this.#deps.box.seal(secret, rowId(account.account_id));
    const isPrepared = await prepareTwoFactor(this.#deps.database, account.account_id, { method, secret: sealed });
    if (!isPrepared) throw new CallError('alreadyExists');
    if (method === 'message') {
      return { secret: '', otpauthUrl: '', target: contact === null ? '' : maskedContact(contact) };
    }
    return { secret, otpauthUrl: otpauthUrl(secret, account.user_name, ISSUER), target: '' };
  }

  /** Returns the recovery codes, readable only this once. Throws 1007 if nothing is prepared, 1015. */
  async enable(account: AccountRow, code: string, browser: AttemptBudget['key']): Promise<string[]> {
    const factor = await findTwoFactor(this.#deps.database, account.account_id);
    if (factor === undefined || factor.is_enabled) throw new CallError('notFound');
    await this.#requireCode(account, factor, code, browser);
    const made = await this.#newRecoveryCodes();
    await this.#deps.database.transaction().execute(async (transaction) => {
      requireFound(await enableTwoFactor(transaction, account.account_id, made.stored), 'notFound');
      // Older trust of browsers, keys and step-ups were given without a code, so they end.
      await distrustBrowsers(transaction, account.account_id);
      await dropSignInKeys(transaction, account.account_id);
      await forgetProofs(transaction, account.account_id);
    });
    return made.codes;
  }

  /** Replaces the recovery codes and returns them, readable only this once. Throws 1007 if disabled. */
  async renewRecovery(accountId: string): Promise<string[]> {
    const made = await this.#newRecoveryCodes();
    const isDone = await this.#deps.database
      .transaction()
      .execute((transaction) => replaceRecoveryCodes(transaction, accountId, made.stored));
    requireFound(isDone, 'notFound');
    return made.codes;
  }

  /** `code` null: the session has just given one. Throws 1007 if disabled, 1015. */
  async disable(account: AccountRow, code: string | null, browser: AttemptBudget['key']): Promise<void> {
    const factor = await this.enabled(account.account_id);
    if (factor === undefined) throw new CallError('notFound');
    if (code !== null) await this.#requireCode(account, factor, code, browser);
    await this.#deps.database.transaction().execute(async (transaction) => {
      await removeTwoFactor(transaction, account.account_id);
      await distrustBrowsers(transaction, account.account_id);
    });
  }

  /** Remembers that this address gave the right password, so codes may be sent. */
  async recordChallenge(accountId: string, address: string): Promise<void> {
    await this.#deps.attempts.consume([challengeBudget(accountId, address)]);
  }

  /** Codes are sent only after the right password, so that others cannot use up the owner's limit. */
  async wasChallenged(accountId: string, address: string): Promise<boolean> {
    return (await this.#deps.attempts.count(challengeBudget(accountId, address))) > 0;
  }

  /** Throws 1015, or 1005 after too many wrong codes. `browser`: a known browser has its own budget. */
  async check(
    account: AccountRow,
    factor: SecondFactorRow,
    code: string,
    browser: AttemptBudget['key'],
  ): Promise<void> {
    await this.#requireCode(account, factor, code, browser);
  }

  async #newRecoveryCodes(): Promise<{ codes: string[]; stored: RecoveryCodes }> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const salt = newSalt();
    const hashes = await Promise.all(codes.map((code) => recoveryHash(this.#deps.hasher, code, salt)));
    return { codes, stored: { salt, hashes, madeAt: this.#deps.clock.wallMs() } };
  }

  async #requireCode(
    account: AccountRow,
    factor: SecondFactorRow,
    code: string,
    browser: AttemptBudget['key'],
  ): Promise<void> {
    const budget: AttemptBudget = {
      key: `factor ${account.account_id} ${browser}`,
      max: 20,
      windowMs: 3_600_000,
      delay: { free: 5, startMs: 1000, mostMs: 15 * 60_000 },
    };
    await this.#deps.attempts.consume([budget]);
    if (!(await this.#isValid(account, factor, code))) throw new CallError('verifyCodeWrong');
    await this.#deps.attempts.forget(budget);
  }

  async #isValid(account: AccountRow, factor: SecondFactorRow, code: string): Promise<boolean> {
    const { database, clock, box, codes } = this.#deps;
    if (!SIX_DIGITS.test(code)) return await this.#consumeRecoveryCode(factor, code);
    if (factor.method === 'totp') {
      const secret = box.open(factor.secret, rowId(account.account_id));
      const step = matchingStep(secret, code, clock.wallMs());
      return step !== null && (await consumeTotpStep(database, account.account_id, step));
    }
    const contact = contactOf(account);
    if (contact === null) return false;
    const question = { purpose: 'login', target: contact.value, accountId: account.account_id } as const;
    try {
      await codes.spend(database, await codes.check(question, code));
      return true;
    } catch (error) {
      if (error instanceof CallError) return false;
      throw error;
    }
  }

  /** A recovery code from before a reset also reopens video: it proves that the owner returned. */
  async #consumeRecoveryCode(factor: SecondFactorRow, code: string): Promise<boolean> {
    const { database, hasher } = this.#deps;
    if (factor.recovery_salt === null) return false;
    const codeHash = await recoveryHash(hasher, code, factor.recovery_salt);
    if (!(await consumeRecoveryCode(database, factor.account_id, codeHash))) return false;
    await openVideo(database, factor.account_id, factor.recovery_at);
    return true;
  }
}

/** Hardens recovery codes of earlier versions (plain SHA-256) with salt and argon2id. Idempotent, also with a second server. */
export async function hardenRecoveryCodes(database: Database, hasher: PasswordHasher): Promise<void> {
  for (const accountId of await accountsWithPlainCodes(database)) {
    await database.transaction().execute(async (transaction) => {
      const hashes = await lockPlainCodes(transaction, accountId);
      if (hashes === null) return;
      const salt = newSalt();
      const hardened: Buffer[] = [];
      for (const hash of hashes) hardened.push(await hasher.derive(hash.toString('hex'), salt));
      await storeHardenedCodes(transaction, accountId, { salt, hashes: hardened });
    });
  }
}

function challengeBudget(accountId: string, address: string): AttemptBudget {
  return { key: `asked ${accountId} ${address}`, max: 1000, windowMs: CODE_LIMITS.lifeMs };
}

function rowId(accountId: string): string {
  return `second factor ${accountId}`;
}

/** Argon2id over SHA-256, so that stored hashes could be hardened without the codes. */
async function recoveryHash(hasher: PasswordHasher, code: string, salt: Buffer): Promise<Buffer> {
  const plain = createHash('sha256').update(code.replaceAll('-', '').toUpperCase()).digest('hex');
  return await hasher.derive(plain, salt);
}

/** 80 random bits in four groups of four. */
function newRecoveryCode(): string {
  const letters = newReadable(16);
  return [0, 4, 8, 12].map((at) => letters.slice(at, at + 4)).join('-');
}
