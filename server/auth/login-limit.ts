// Limits failed sign-ins per account, per known browser and per address (SE-01, SE-02) by growing delays, never by locking others out.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { addressKey } from '@vedette/rules/admission/address-key.ts';
import { CallError } from '../core/call-error.ts';
import type { AttemptLimiter, AttemptBudget } from './attempt-limiter.ts';

/** Failures per hour before every further attempt is refused. */
const ACCOUNT_MAX = 20;
/** From one address for one account: half, so that nobody alone uses up the tries of others elsewhere. */
const PLACE_MAX = 10;
const ADDRESS_MAX = 200;
/** The first failures cause no delay; then it doubles up to the longest. */
const DELAY = { free: 5, startMs: 1000, mostMs: 15 * 60_000 } as const;

export interface LoginTry {
  /** Id of the account, else the typed text, so that all names of one account share a budget. */
  readonly account: string;
  readonly address: string;
  /** Set for a known browser, which has its own budget that others cannot use up. */
  readonly knownBrowserId: string | null;
}

export interface LoginBudgets {
  /** The account from this address or in this known browser. */
  readonly place: AttemptBudget;
  /** The account from anywhere; a known browser does not depend on it. */
  readonly account: AttemptBudget | null;
  /** The address for any account. */
  readonly address: AttemptBudget;
}

/** What the tries of one sign-in count against. */
export function loginBudgets(attempt: LoginTry): LoginBudgets {
  const account = attempt.account.toLowerCase();
  const address = addressKey(attempt.address);
  const isKnown = attempt.knownBrowserId !== null;
  const place = isKnown ? `known ${account} ${attempt.knownBrowserId}` : `account ${account} at ${address}`;
  const lock = { windowMs: HOUR_MS, refusal: locked };
  return {
    place: { key: place, max: isKnown ? ACCOUNT_MAX : PLACE_MAX, delay: DELAY, ...lock },
    account: isKnown ? null : { key: `account ${account}`, max: ACCOUNT_MAX, ...lock },
    address: { key: `address ${address}`, max: ADDRESS_MAX, windowMs: HOUR_MS },
  };
}

/** The same for names that are nobody's. */
function locked(retryAfter: number): CallError {
  return new CallError('userLocked', { reason: 'tooManyAttempts', retryAfter });
}

function budgetList({ place, account, address }: LoginBudgets): AttemptBudget[] {
  return account === null ? [place, address] : [place, account, address];
}

export class LoginLimit {
  readonly #attempts: AttemptLimiter;

  constructor(options: { attempts: AttemptLimiter }) {
    this.#attempts = options.attempts;
  }

  /** Runs one check within the budgets; throws 2031 or 1005 with `retryAfter`. A right answer forgives the failures before it. */
  async check(attempt: LoginTry, isRight: () => Promise<boolean>): Promise<boolean> {
    const attemptId = await this.#attempts.consume(budgetList(loginBudgets(attempt)));
    let answer = false;
    try {
      answer = await isRight();
    } catch (error) {
      // The check itself failed, so the attempt does not count.
      await this.#attempts.refund(attemptId);
      throw error;
    }
    if (answer) {
      await this.#attempts.refund(attemptId);
      await this.forgive(attempt);
    }
    return answer;
  }

  /** The way out of a lock: whoever just proved to own the account may sign in from there at once. */
  async forgive(attempt: LoginTry): Promise<void> {
    const { place, account } = loginBudgets(attempt);
    await this.#attempts.forget(place);
    if (account !== null) await this.#attempts.forget(account);
  }

  /** Failures within the hour, of the account and of the address. */
  async failures(attempt: LoginTry): Promise<{ account: number; address: number }> {
    const budgets = loginBudgets(attempt);
    const [account, address] = await Promise.all([
      this.#attempts.count(budgets.account ?? budgets.place),
      this.#attempts.count(budgets.address),
    ]);
    return { account, address };
  }
}
