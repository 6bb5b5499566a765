// Limits failed sign-ins per account, per known browser and per address (SE-01, SE-02) by growing delays, never by locking others out.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { addressKey } from '@vedette/rules/admission/address-key.ts';
import type { AttemptLimiter, AttemptBudget } from './attempt-limiter.ts';

/** Failures per hour before every further try is refused. */
const ACCOUNT_MAX = 20;
const ADDRESS_MAX = 200;
/** The first failures are free of delay; then the wait doubles up to the longest. */
const DELAY = { free: 5, startMs: 1000, mostMs: 15 * 60_000 } as const;

export interface LoginTry {
  /** Id of the account, else what was typed: three ways to name one account are one budget. */
  readonly account: string;
  readonly address: string;
  /** Set when the account signed in from this browser before: it then has a budget of its own, which strangers can't use up. */
  readonly knownBrowserId: string | null;
}

/** What the tries of one sign-in count against: the account, and the address they come from. */
export function loginBudgets(attempt: LoginTry): { readonly account: AttemptBudget; readonly address: AttemptBudget } {
  const account = attempt.account.toLowerCase();
  const key = attempt.knownBrowserId === null ? `account ${account}` : `known ${account} ${attempt.knownBrowserId}`;
  return {
    account: { key, max: ACCOUNT_MAX, windowMs: HOUR_MS, delay: DELAY },
    address: { key: `address ${addressKey(attempt.address)}`, max: ADDRESS_MAX, windowMs: HOUR_MS },
  };
}

export class LoginLimit {
  readonly #attempts: AttemptLimiter;

  constructor(options: { attempts: AttemptLimiter }) {
    this.#attempts = options.attempts;
  }

  /** Runs one check within the budgets; throws 1005 with `retryAfter`. A right answer forgives the failures before it. */
  async check(attempt: LoginTry, isRight: () => Promise<boolean>): Promise<boolean> {
    const { account, address } = loginBudgets(attempt);
    const attemptId = await this.#attempts.consume([account, address]);
    let answer = false;
    try {
      answer = await isRight();
    } catch (error) {
      // Nothing was learnt from it.
      await this.#attempts.refund(attemptId);
      throw error;
    }
    if (answer) {
      await this.#attempts.refund(attemptId);
      await this.#attempts.forget(account);
    }
    return answer;
  }

  /** Failures within the hour, of the account and of the address. */
  async failures(attempt: LoginTry): Promise<{ account: number; address: number }> {
    const budgets = loginBudgets(attempt);
    const [account, address] = await Promise.all([
      this.#attempts.count(budgets.account),
      this.#attempts.count(budgets.address),
    ]);
    return { account, address };
  }
}
