// Attempt limiter stored as rows: an attempt is counted before its check, over restarts and over several servers (SE-01, SE-02, SE-04).
import { backoffDelayMs } from '@vedette/foundation/backoff/backoff.ts';
import { createHash } from 'node:crypto';
import { CallError } from '../core/call-error.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import {
  attemptsSince,
  deleteAttempt,
  deleteAttemptsOf,
  insertAttempts,
  lockKeys,
} from '../database/account/attempt.queries.ts';
import type { Database } from '../database/connection.ts';
import { newId } from '@vedette/foundation/random/ids.ts';

export interface AttemptBudget {
  /** What attempts are counted for, for example `account <id>`. */
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
  /** After the free attempts the delay doubles up to the longest. */
  readonly delay?: { readonly free: number; readonly startMs: number; readonly mostMs: number };
  /** What is thrown where it is used up; absent: 1005. */
  readonly refusal?: (retryAfter: number) => CallError;
}

/** Milliseconds until the next attempt is allowed; 0: now. `times` oldest first. */
export function waitMsOf(times: readonly number[], budget: AttemptBudget, now: number): number {
  const counted = times.filter((at) => at > now - budget.windowMs);
  const oldest = counted.at(-budget.max);
  if (counted.length >= budget.max && oldest !== undefined) return Math.max(1000, oldest + budget.windowMs - now);
  const { delay } = budget;
  const last = counted.at(-1);
  if (delay === undefined || last === undefined || counted.length < delay.free) return 0;
  const grown = backoffDelayMs(counted.length - delay.free, 0, { firstMs: delay.startMs, maxMs: delay.mostMs });
  return Math.max(0, last + grown - now);
}

function refusalOf(budget: AttemptBudget | undefined, retryAfter: number): CallError {
  return budget?.refusal?.(retryAfter) ?? new CallError('tooManyRequests', { retryAfter });
}

/** Nothing of what was typed is kept. */
function hashed(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export class AttemptLimiter {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(options: { database: Database; clock: Clock }) {
    this.#database = options.database;
    this.#clock = options.clock;
  }

  /** Uses up one try of each budget and answers its id; throws the refusal of the longest wait, with `retryAfter` in seconds. */
  async consume(budgets: readonly AttemptBudget[]): Promise<string> {
    const keys = budgets.map(({ key }) => hashed(key));
    const attemptId = newId();
    const waits = await this.#database.transaction().execute(async (transaction) => {
      await lockKeys(transaction, keys);
      const now = this.#clock.wallMs();
      const longest = Math.max(...budgets.map(({ windowMs }) => windowMs));
      const times = await attemptsSince(transaction, keys, now - longest);
      const waits = budgets.map((budget) => waitMsOf(times.get(hashed(budget.key)) ?? [], budget, now));
      if (Math.max(...waits) === 0) await insertAttempts(transaction, attemptId, keys, now);
      return waits;
    });
    const longest = Math.max(...waits);
    if (longest > 0) throw refusalOf(budgets[waits.indexOf(longest)], Math.ceil(longest / 1000));
    return attemptId;
  }

  /** Attempts of a budget within its window. */
  async count(budget: AttemptBudget): Promise<number> {
    const key = hashed(budget.key);
    const times = await attemptsSince(this.#database, [key], this.#clock.wallMs() - budget.windowMs);
    return times.get(key)?.length ?? 0;
  }

  /** The attempt does not count. */
  async refund(attemptId: string): Promise<void> {
    await deleteAttempt(this.#database, attemptId);
  }

  /** Deletes all attempts of the budget. */
  async forget(budget: AttemptBudget): Promise<void> {
    await deleteAttemptsOf(this.#database, hashed(budget.key));
  }
}
