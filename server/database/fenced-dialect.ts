// PostgreSQL for the work of one lease: whatever changes something checks in the same transaction that the lease is still held.
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type PostgresDialectConfig,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';

/** The lease whose work this is, as it was taken. */
export interface Fence {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
}

/** The work belongs to another server by now: nothing was stored. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export class FencedDialect extends PostgresDialect {
  readonly #fence: Fence;

  constructor(config: PostgresDialectConfig, fence: Fence) {
    super(config);
    this.#fence = fence;
  }

  override createDriver(): Driver {
    return new FencedDriver(super.createDriver(), this.#fence);
  }
}

/**
 * The lock is held until the commit. It lets the lease be renewed, and makes who would take it wait: so it cannot be taken between
 * the check and the commit. A holder that stands still in between is rolled back by PostgreSQL (idle_in_transaction_session_timeout).
 */
const CHECK = 'select from work_lease where name = $1 and holder = $2 and epoch = $3 for key share';

class FencedDriver implements Driver {
  readonly #inner: Driver;
  readonly #fence: Fence;

  constructor(inner: Driver, fence: Fence) {
    this.#inner = inner;
    this.#fence = fence;
  }

  init(): Promise<void> {
    return this.#inner.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    return new FencedConnection(await this.#inner.acquireConnection(), (run) => this.#alone(run));
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await this.#inner.releaseConnection(innerOf(connection));
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const inner = innerOf(connection);
    await this.#inner.beginTransaction(inner, settings);
    try {
      await this.#check(inner);
    } catch (error) {
      await this.#inner.rollbackTransaction(inner);
      throw error;
    }
    fenced(connection).isInTransaction = true;
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    fenced(connection).isInTransaction = false;
    await this.#inner.commitTransaction(innerOf(connection));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    fenced(connection).isInTransaction = false;
    await this.#inner.rollbackTransaction(innerOf(connection));
  }

  destroy(): Promise<void> {
    return this.#inner.destroy();
  }

  async #check(inner: DatabaseConnection): Promise<void> {
    const { name, holder, epoch } = this.#fence;
    const { rows } = await inner.executeQuery(CompiledQuery.raw(CHECK, [name, holder, epoch]));
    if (rows.length === 0) throw new LeaseLost(`the lease of ${name} is held by another server`);
  }

  /** A statement outside of a transaction gets one of its own. */
  async #alone<R>({ connection, run }: Statement<R>): Promise<R> {
    await this.beginTransaction(connection, {});
    try {
      const result = await run();
      await this.commitTransaction(connection);
      return result;
    } catch (error) {
      if (connection.isInTransaction) await this.rollbackTransaction(connection);
      throw error;
    }
  }
}

interface Statement<R> {
  readonly connection: FencedConnection;
  readonly run: () => Promise<R>;
}

class FencedConnection implements DatabaseConnection {
  isInTransaction = false;
  readonly inner: DatabaseConnection;
  readonly #alone: <R>(statement: Statement<R>) => Promise<R>;

  constructor(inner: DatabaseConnection, alone: <R>(statement: Statement<R>) => Promise<R>) {
    this.inner = inner;
    this.#alone = alone;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const run = () => this.inner.executeQuery<R>(query);
    return this.isInTransaction || isRead(query) ? await run() : await this.#alone({ connection: this, run });
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.inner.streamQuery<R>(query, chunkSize);
  }
}

/** Nothing is changed by it: `with` may hold an insert. */
function isRead({ sql }: CompiledQuery): boolean {
  return /^\s*select\b/i.test(sql);
}

function fenced(connection: DatabaseConnection): FencedConnection {
  if (!(connection instanceof FencedConnection)) throw new Error('a connection of another driver');
  return connection;
}

function innerOf(connection: DatabaseConnection): DatabaseConnection {
  return fenced(connection).inner;
}
