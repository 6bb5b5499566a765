// Verification codes of six digits: created and sent within limits, five attempts in ten minutes, valid once (SE-04).
import { DAY_MS, HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { addressKey } from '@vedette/rules/admission/address-key.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CodePurpose } from '@vedette/contract/calls/account-access.ts';
import { CODE_LIMITS } from '@vedette/contract/limits.ts';
import { CallError, requireFound } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { type CodeKey, storeCode, consumeCode, tryCode } from '../database/account/verification-code.queries.ts';
import { newDigits } from '@vedette/foundation/random/secrets.ts';
import type { AttemptLimiter } from './attempt-limiter.ts';

/** Codes requested from one address per hour, over all targets. */
const ADDRESS_MAX = 60;
/** Codes of the whole installation per hour, since text messages cost money. Sign-in has a limit of its own, which others cannot use up. */
const INSTALLATION_MAX = 1000;

export interface CodeQuestion {
  readonly purpose: CodePurpose;
  /** In stored form: e-mail in lower case. */
  readonly target: string;
  /** The account that binds a contact or signs in. */
  readonly accountId?: string;
}

export class VerificationCodes {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #attempts: AttemptLimiter;
  /** Keyed hash, since a plain hash of six digits is guessed in a second. */
  readonly #key: Buffer;

  constructor(options: { database: Database; clock: Clock; attempts: AttemptLimiter; key: Buffer }) {
    this.#database = options.database;
    this.#clock = options.clock;
    this.#attempts = options.attempts;
    this.#key = options.key;
  }

  /** Counts one message to the target and stores a new code; throws 1005 with `retryAfter`. */
  async make(question: CodeQuestion, address: string): Promise<string> {
    // Separate budget: requests for registration and reset never block the owner's sign-in.
    const target = question.purpose === 'login' ? `login ${question.target}` : question.target;
    await this.#attempts.consume([
      { key: `code minute ${target}`, max: 1, windowMs: CODE_LIMITS.everyS * 1000 },
      { key: `code day ${target}`, max: CODE_LIMITS.perDay, windowMs: DAY_MS },
      { key: `code address ${addressKey(address)}`, max: ADDRESS_MAX, windowMs: HOUR_MS },
      { key: `code all ${question.purpose === 'login'}`, max: INSTALLATION_MAX, windowMs: HOUR_MS },
    ]);
    const code = newDigits();
    const place = keyOf(question);
    const expiresAt = this.#clock.wallMs() + CODE_LIMITS.lifeMs;
    await storeCode(this.#database, place, { codeHash: this.#hash(place, code), expiresAt });
    return code;
  }

  /** Counts one attempt for the code. Throws 1015 alike for a wrong, expired, used up or never sent code. */
  async check(question: CodeQuestion, code: string): Promise<CheckedCode> {
    const key = keyOf(question);
    const stored = await tryCode(this.#database, key, { tries: CODE_LIMITS.tries, now: this.#clock.wallMs() });
    const given = this.#hash(key, code);
    if (stored === undefined || !timingSafeEqual(stored, given)) throw new CallError('verifyCodeWrong');
    return { key, codeHash: given };
  }

  /** Within the transaction of the change that it permits. Throws 1015 if it was used meanwhile. */
  async spend(database: Database, checked: CheckedCode): Promise<void> {
    requireFound(await consumeCode(database, checked.key, checked.codeHash), 'verifyCodeWrong');
  }

  #hash(key: CodeKey, code: string): Buffer {
    const parts = [key.purpose, key.target, key.accountId, code];
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest();
  }
}

export interface CheckedCode {
  readonly key: CodeKey;
  readonly codeHash: Buffer;
}

function keyOf({ purpose, target, accountId = '' }: CodeQuestion): CodeKey {
  return { purpose, target, accountId };
}
