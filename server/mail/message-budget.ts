// Rate limits of outgoing messages: per target, per account, per installation; stored as rows, so that a restart resets nothing.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { createHash } from 'node:crypto';
import { SEND_LIMITS } from '@vedette/contract/limits.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import type { Database } from '../database/connection.ts';
import { budgetFullAt, spendBudget } from '../database/account/send-budget.queries.ts';

export type SendKind = Exclude<keyof typeof SEND_LIMITS, 'heldMs'>;

export interface OutgoingMessages {
  readonly kind: SendKind;
  /** Null: a message of the installation, of no account. */
  readonly accountId: string | null;
  /** One recipient per message. */
  readonly targets: readonly string[];
}

/** One of the budgets is used up. */
class BudgetExceededError extends Error {
  readonly key: string;
  readonly costMs: number;

  constructor(key: string, costMs: number) {
    super('too many messages');
    this.name = 'BudgetUsedUp';
    this.key = key;
    this.costMs = costMs;
  }
}

export class MessageBudget {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(options: { readonly database: Database; readonly clock: Clock }) {
    this.#database = options.database;
    this.#clock = options.clock;
  }

  /** Takes all or nothing; returns 0, or milliseconds until there may be room. */
  async spend(sendings: readonly OutgoingMessages[]): Promise<number> {
    const shares = sendings.flatMap(sharesOf);
    // Sorted, so that two senders never deadlock.
    shares.sort((one, other) => (one.key < other.key ? -1 : 1));
    const now = this.#clock.wallMs();
    try {
      await this.#database.transaction().execute(async (transaction) => {
        for (const { key, costMs } of shares) {
          const isLeft = await spendBudget(transaction, { key, costMs, windowMs: HOUR_MS, now });
          if (!isLeft) throw new BudgetExceededError(key, costMs);
        }
      });
      return 0;
    } catch (error) {
      if (!(error instanceof BudgetExceededError)) throw error;
      const fullAt = await budgetFullAt(this.#database, error.key);
      return Math.max(1000, fullAt + error.costMs - HOUR_MS - now);
    }
  }
}

interface Share {
  /** Hashed: no address is stored. */
  readonly key: string;
  readonly costMs: number;
}

function sharesOf({ kind, accountId, targets }: OutgoingMessages): Share[] {
  const limits = SEND_LIMITS[kind];
  const distinct = [...new Set(targets)];
  const share = (name: string, most: number, count: number): Share => ({
    key: createHash('sha256').update(`${kind} ${name}`).digest('hex'),
    costMs: Math.ceil((HOUR_MS * Math.min(count, most)) / most),
  });
  return [
    ...distinct.map((target) => share(`target ${target}`, limits.target, 1)),
    ...(accountId === null ? [] : [share(`account ${accountId}`, limits.account, distinct.length)]),
    share('installation', limits.installation, distinct.length),
  ];
}
