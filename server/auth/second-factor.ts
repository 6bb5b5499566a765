// The second factor of an account: prepared, switched on with a code of it, asked for at sign-in, given up with a code (SE-15).
import { createHash } from 'node:crypto';
import type { SecondFactor } from '@vedette/contract/calls/account.ts';
import { CODE_LIMITS, RECOVERY_CODES } from '@vedette/contract/limits.ts';
import { CallError, stillThere } from '../call-error.ts';
import type { Clock } from '../clock/clock.ts';
import type { SecondFactorRow } from '../database/account-schema.ts';
import type { Database } from '../database/connection.ts';
import { distrustBrowsers } from '../database/known-browser.queries.ts';
import type { AccountRow } from '../database/schema.ts';
import {
  enableFactor,
  findFactor,
  prepareFactor,
  removeFactor,
  takeRecoveryCode,
  takeStep,
} from '../database/second-factor.queries.ts';
import { newRecoveryCode } from '../randomness.ts';
import { type Attempts, type Budget } from './attempts.ts';
import { contactOf, maskedContact } from './contact.ts';
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
    const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
    await this.#parts.database.transaction().execute(async (transaction) => {
      stillThere(await enableFactor(transaction, account.account_id, recoveryCodes.map(recoveryHash)), 'notFound');
      // Trust that was given before there was anything to skip means nothing.
      await distrustBrowsers(transaction, account.account_id);
    });
    return recoveryCodes;
  }

  /** Throws 1007 where none is on, 1015. */
  async disable(account: AccountRow, code: string, browser: Budget['key']): Promise<void> {
    const factor = await this.enabled(account.account_id);
    if (factor === undefined) throw new CallError('notFound');
    await this.#demand(account, factor, code, browser);
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
    if (!SIX_DIGITS.test(code)) return await takeRecoveryCode(database, account.account_id, recoveryHash(code));
    if (factor.method === 'totp') {
      const secret = box.open(factor.secret, rowId(account.account_id));
      const step = matchingStep(secret, code, clock.now());
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
}

function askedBudget(accountId: string, address: string): Budget {
  return { key: `asked ${accountId} ${address}`, max: 1000, windowMs: CODE_LIMITS.lifeMs };
}

function rowId(accountId: string): string {
  return `second factor ${accountId}`;
}

/** 50 random bits: a plain hash is not guessed. */
function recoveryHash(code: string): Buffer {
  return createHash('sha256').update(code.replace('-', '').toUpperCase()).digest();
}
