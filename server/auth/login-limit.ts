// Bounds failed sign-ins per account, per known browser and per address (SE-01, SE-02): delays that grow, never a lock for others.
import type { Clock } from '../clock/clock.ts';

const HOUR_MS = 3_600_000;
/** Failures per hour before every further try is refused. */
const ACCOUNT_MAX = 20;
const ADDRESS_MAX = 200;
/** The first failures are free of delay; then the wait doubles up to the longest. */
const FREE_FAILURES = 5;
const DELAY_START_MS = 1000;
const DELAY_MAX_MS = 15 * 60_000;
/** Keys held at once; the oldest are forgotten first. */
const KEYS_MAX = 100_000;

interface Budget {
  failures: number[];
  /** Tries that are being checked now: parallel tries must not slip under the limit. */
  pending: number;
}

export interface LoginTry {
  readonly account: string;
  readonly address: string;
  /** Set when the account signed in from this browser before: it then has a budget of its own, which strangers can't use up. */
  readonly knownBrowserId: string | null;
}

export class LoginLimit {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, Budget>();

  constructor(options: { clock: Clock }) {
    this.#clock = options.clock;
  }

  /** Milliseconds to wait before this try may be made; 0 takes the try. Every taken try must be ended. */
  begin(attempt: LoginTry): number {
    const waits = keysOf(attempt).map(({ key, max }) => this.#wait(key, max));
    const waitMs = Math.max(...waits);
    if (waitMs > 0) return waitMs;
    for (const { key } of keysOf(attempt)) this.#budget(key).pending += 1;
    return 0;
  }

  end(attempt: LoginTry, isSuccess: boolean): void {
    for (const { key, isAddress } of keysOf(attempt)) {
      const budget = this.#budget(key);
      budget.pending -= 1;
      if (!isSuccess) budget.failures.push(this.#clock.now());
      else if (!isAddress) budget.failures = [];
      if (budget.failures.length === 0 && budget.pending === 0) this.#budgets.delete(key);
    }
  }

  #budget(key: string): Budget {
    const held = this.#budgets.get(key);
    if (held !== undefined) return held;
    const oldest = this.#budgets.keys().next().value;
    if (this.#budgets.size >= KEYS_MAX && oldest !== undefined) this.#budgets.delete(oldest);
    const fresh: Budget = { failures: [], pending: 0 };
    this.#budgets.set(key, fresh);
    return fresh;
  }

  #wait(key: string, max: number): number {
    const budget = this.#budgets.get(key);
    if (budget === undefined) return 0;
    const now = this.#clock.now();
    budget.failures = budget.failures.filter((at) => at > now - HOUR_MS);
    const count = budget.failures.length + budget.pending;
    if (count >= max) return Math.max(1000, (budget.failures[0] ?? now) + HOUR_MS - now);
    const grown = max === ADDRESS_MAX ? 0 : delayAfter(count);
    if (grown === 0) return 0;
    const last = budget.failures.at(-1) ?? now;
    return Math.max(0, last + grown - now);
  }
}

function delayAfter(failures: number): number {
  if (failures < FREE_FAILURES) return 0;
  return Math.min(DELAY_MAX_MS, DELAY_START_MS * 2 ** (failures - FREE_FAILURES));
}

function keysOf(attempt: LoginTry): { key: string; max: number; isAddress: boolean }[] {
  const account = attempt.account.toLowerCase();
  const accountKey =
    attempt.knownBrowserId === null ? `account ${account}` : `known ${account} ${attempt.knownBrowserId}`;
  return [
    { key: accountKey, max: ACCOUNT_MAX, isAddress: false },
    { key: `address ${attempt.address}`, max: ADDRESS_MAX, isAddress: true },
  ];
}
