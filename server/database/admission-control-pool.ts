// Connection pool with admission control: refuses new calls while the database is overloaded, and bounds every wait.
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { type RequestDeadline, currentDeadline, DatabaseBusy } from './request-deadline.ts';

/** The longest waiter has waited so long that newcomers are refused. */
const OVERLOADED_AFTER_MS = 1500;

type InnerPool = Pick<PostgresPool, 'connect' | 'end' | 'options'>;

export class AdmissionControlPool implements PostgresPool {
  readonly #pool: InnerPool;
  readonly #now: () => number;
  /** Start of each wait, longest first. */
  readonly #waiting = new Set<{ readonly since: number }>();

  constructor(pool: InnerPool, now: () => number) {
    this.#pool = pool;
    this.#now = now;
  }

  readonly connect = async (): Promise<PostgresPoolClient> => {
    const budget = currentDeadline();
    const since = this.#now();
    if (budget !== null && (!budget.mayStartStatement(since) || this.#isOverloaded(since))) {
      throw new DatabaseBusy('the database does not keep up');
    }
    const waiting = { since };
    this.#waiting.add(waiting);
    budget?.begin(since);
    try {
      const client = await this.#pool.connect();
      if (budget !== null) this.#count(client, budget);
      return client;
    } catch (error) {
      budget?.end(this.#now());
      throw new DatabaseBusy('the database gives no connection', { cause: error });
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

  #isOverloaded(now: number): boolean {
    const [longest] = this.#waiting;
    return longest !== undefined && now - longest.since > OVERLOADED_AFTER_MS;
  }

  /** The pool creates a new `release` for each checkout. */
  #count(client: PostgresPoolClient, budget: RequestDeadline): void {
    const release = client.release.bind(client);
    client.release = (isBroken) => {
      budget.end(this.#now());
      release(isBroken);
    };
  }
}
