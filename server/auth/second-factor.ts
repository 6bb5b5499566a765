// Two-factor authentication of an account: set-up, enabling, verification at sign-in, disabling (SE-15).
import { createHash } from 'node:crypto';
import type { SecondFactor } from '@vedette/contract/calls/account.ts';
import { CODE_LIMITS, RECOVERY_CODES } from '@vedette/contract/limits.ts';
import { CallError, stillThere } from '../call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { SecondFactorRow } from '../database/account-schema.ts';
import type { Database } from '../database/connection.ts';
import { openVideo } from '../database/account-reset.queries.ts';
import { distrustBrowsers } from '../database/known-browser.queries.ts';
import type { AccountRow } from '../database/schema.ts';
import {
  accountsWithPlainCodes,
  enableFactor,
  findFactor,
  lockPlainCodes,
  prepareFactor,
  type RecoveryCodes,
  removeFactor,
  replaceRecoveryCodes,
  storeHardenedCodes,
  takeRecoveryCode,
  takeStep,
} from '../database/second-factor.queries.ts';
import { forgetProofs } from '../database/session.queries.ts';
import { newRecoveryCode, newSalt } from '../randomness.ts';
import { type Attempts, type Budget } from './attempts.ts';
import { contactOf, maskedContact } from './contact.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { SecretBox } from './secret-box.ts';
import { matchingStep, newTimeSecret, otpauthUrl } from './time-code.ts';
import type { VerifyCodes } from './verify-codes.ts';

const ISSUER = 'Vedette';
const SIX_DIGITS = /^\d{6}$/;

export interface PreparedFactor {
  readonly secret: string;
  readonly otpauthUrl: string;
  readonly target: string;
}

export interface SecondFactorParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly box: SecretBox;
  readonly attempts: Attempts;
  readonly codes: VerifyCodes;
  readonly hasher: PasswordHasher;
}

export class SecondFactors {
  readonly #parts: SecondFactorParts;

  constructor(parts: SecondFactorParts) {
    this.#parts = parts;
  }

  /** The factor that signing in asks for; undefined for one that is only prepared. */
  async enabled(accountId: string): Promise<SecondFactorRow | undefined> {
    const factor = await findFactor(this.#parts.database, accountId);
    return factor?.is_enabled === true ? factor : undefined;
  }

  /** Throws 1016 where one is on, 1006 where codes can't be sent to this account. */
  async begin(account: AccountRow, method: SecondFactor): Promise<PreparedFactor> {
    const contact = contactOf(account);
    if (method === 'message' && contact === null) throw new CallError('functionNotSupported');
    const secret = method === 'totp' ? newTimeSecret() : '';
    const sealed = this.#parts.box.seal(secret, rowId(account.account_id));
    const isPrepared = await prepareFactor(this.#parts.database, account.account_id, { method, secret: sealed });
    if (!isPrepared) throw new CallError('alreadyExists');
    if (method === 'message') {
      return { secret: '', otpauthUrl: '', target: contact === null ? '' : maskedContact(contact) };
    }
    return { secret, otpauthUrl: otpauthUrl(secret, account.user_name, ISSUER), target: '' };
  }

  /** Answers the recovery codes, in the open this once. Throws 1007 where nothing is prepared, 1015. */
  async enable(account: AccountRow, code: string, browser: Budget['key']): Promise<string[]> {
    const factor = await findFactor(this.#parts.database, account.account_id);
    if (factor === undefined || factor.is_enabled) throw new CallError('notFound');
    await this.#demand(account, factor, code, browser);
    const made = await this.#newRecoveryCodes();
    await this.#parts.database.transaction().execute(async (transaction) => {
      stillThere(await enableFactor(transaction, account.account_id, made.stored), 'notFound');
      // Trust that was given before there was anything to skip means nothing, nor does what sessions proved without a code.
      await distrustBrowsers(transaction, account.account_id);
      await forgetProofs(transaction, account.account_id);
    });
    return made.codes;
  }

  /** New recovery codes in place of those before, in the open this once. Throws 1007 where no second factor is on. */
  async renewRecovery(accountId: string): Promise<string[]> {
    const made = await this.#newRecoveryCodes();
    const isDone = await this.#parts.database
      .transaction()
      .execute((transaction) => replaceRecoveryCodes(transaction, accountId, made.stored));
    stillThere(isDone, 'notFound');
    return made.codes;
  }

  /** `code` null: the session has just given one. Throws 1007 where none is on, 1015. */
  async disable(account: AccountRow, code: string | null, browser: Budget['key']): Promise<void> {
    const factor = await this.enabled(account.account_id);
    if (factor === undefined) throw new CallError('notFound');
    if (code !== null) await this.#demand(account, factor, code, browser);
    await this.#parts.database.transaction().execute(async (transaction) => {
      await removeFactor(transaction, account.account_id);
      await distrustBrowsers(transaction, account.account_id);
    });
  }

  /** The right password was just given from this address: codes may be sent for it. */
  async noteAsked(accountId: string, address: string): Promise<void> {
    await this.#parts.attempts.take([askedBudget(accountId, address)]);
  }

  /** Only who gave the password makes codes be sent: nobody else uses up what the owner needs to sign in. */
  async wasAsked(accountId: string, address: string): Promise<boolean> {
    return (await this.#parts.attempts.count(askedBudget(accountId, address))) > 0;
  }

  /** Throws 1015, or 1005 where too many were wrong. `browser` tells the owner's browser from a stranger's: each has its own tries. */
  async check(account: AccountRow, factor: SecondFactorRow, code: string, browser: Budget['key']): Promise<void> {
    await this.#demand(account, factor, code, browser);
  }

  async #newRecoveryCodes(): Promise<{ codes: string[]; stored: RecoveryCodes }> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    const salt = newSalt();
    const hashes = await Promise.all(codes.map((code) => recoveryHash(this.#parts.hasher, code, salt)));
    return { codes, stored: { salt, hashes, madeAt: this.#parts.clock.wallMs() } };
  }

  async #demand(account: AccountRow, factor: SecondFactorRow, code: string, browser: Budget['key']): Promise<void> {
    const budget: Budget = {
      key: `factor ${account.account_id} ${browser}`,
      max: 20,
      windowMs: 3_600_000,
      delay: { free: 5, startMs: 1000, mostMs: 15 * 60_000 },
    };
    await this.#parts.attempts.take([budget]);
    if (!(await this.#isRight(account, factor, code))) throw new CallError('verifyCodeWrong');
    await this.#parts.attempts.forget(budget);
  }

  async #isRight(account: AccountRow, factor: SecondFactorRow, code: string): Promise<boolean> {
    const { database, clock, box, codes } = this.#parts;
    if (!SIX_DIGITS.test(code)) return await this.#takeRecovery(factor, code);
    if (factor.method === 'totp') {
      const secret = box.open(factor.secret, rowId(account.account_id));
      const step = matchingStep(secret, code, clock.wallMs());
      return step !== null && (await takeStep(database, account.account_id, step));
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

  /** It also opens video that a reset by the operator closed: who has a code from before it had the account before it. */
  async #takeRecovery(factor: SecondFactorRow, code: string): Promise<boolean> {
    const { database, hasher } = this.#parts;
    if (factor.recovery_salt === null) return false;
    const codeHash = await recoveryHash(hasher, code, factor.recovery_salt);
    if (!(await takeRecoveryCode(database, factor.account_id, codeHash))) return false;
    await openVideo(database, factor.account_id, factor.recovery_at);
    return true;
  }
}

/** What is stored by SHA-256 alone, as earlier versions did, gets its salt and argon2id. Safe to run again and beside another server. */
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

function askedBudget(accountId: string, address: string): Budget {
  return { key: `asked ${accountId} ${address}`, max: 1000, windowMs: CODE_LIMITS.lifeMs };
}

function rowId(accountId: string): string {
  return `second factor ${accountId}`;
}

/** Argon2id over SHA-256: so that what earlier versions stored could be hardened without the codes. */
async function recoveryHash(hasher: PasswordHasher, code: string, salt: Buffer): Promise<Buffer> {
  const plain = createHash('sha256').update(code.replaceAll('-', '').toUpperCase()).digest('hex');
  return await hasher.derive(plain, salt);
}
