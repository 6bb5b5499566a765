// A pool that does not let calls pile up before a slow database: while it is stuck new ones are refused at once, and none waits for long.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { PostgresPool, PostgresPoolClient } from 'kysely';

/** The database does not keep up (1012). */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';
}

interface Budget {
  spentMs: number;
}

/** Somebody has waited so long for a connection: whoever comes now would wait longer. */
const STUCK_MS = 1500;
/** A call that has spent so long with the database begins nothing more; what it has begun goes on to its end. */
const BUDGET_MS = 4000;

const budgets = new AsyncLocalStorage<Budget>();

/** Bounds what the call may spend; what runs outside of it waits as long as it must. */
export function withBudget<T>(run: () => Promise<T>): Promise<T> {
  return budgets.run({ spentMs: 0 }, run);
}

/** For work that goes on after the call that began it: the call's bounds are not its own. */
export function withoutBudget<T>(run: () => T): T {
  return budgets.exit(run);
}

type InnerPool = Pick<PostgresPool, 'connect' | 'end' | 'options'>;

export class PatientPool implements PostgresPool {
  readonly #pool: InnerPool;
  readonly #now: () => number;
  /** Since when each of them waits, the longest first. */
  readonly #waiting = new Set<{ readonly since: number }>();

  constructor(pool: InnerPool, now: () => number) {
    this.#pool = pool;
    this.#now = now;
  }

  readonly connect = async (): Promise<PostgresPoolClient> => {
    const budget = budgets.getStore();
    const since = this.#now();
    if (budget !== undefined && (budget.spentMs > BUDGET_MS || this.#isStuck(since))) {
      throw new DatabaseBusy('the database does not keep up');
    }
    const waiting = { since };
    this.#waiting.add(waiting);
    try {
      const client = await this.#pool.connect();
      if (budget !== undefined) this.#count(client, budget, since);
      return client;
    } finally {
      this.#waiting.delete(waiting);
    }
  };

  get options(): PostgresPool['options'] {
    return this.#pool.options;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }

  #isStuck(now: number): boolean {
    const [longest] = this.#waiting;
    return longest !== undefined && now - longest.since > STUCK_MS;
  }

  /** The pool gives each loan a `release` of its own. */
  #count(client: PostgresPoolClient, budget: Budget, since: number): void {
    const release = client.release.bind(client);
    client.release = () => {
      budget.spentMs += this.#now() - since;
      release();
    };
  }
}
