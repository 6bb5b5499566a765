// Opens the PostgreSQL pool and its Kysely types; int8 columns are read as numbers (all below 2^53).
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { AdmissionControlPool } from './admission-control-pool.ts';
import { type Fence, FencedDialect } from './fenced-dialect.ts';
import { PrimaryClient } from './primary-client.ts';
import { databaseAddresses, type Place, PrimaryFinder } from './primary-finder.ts';
import type { DatabaseSchema } from './schema/schema.ts';
import { StatementTimeoutClient } from './statement-timeout-client.ts';

export type Database = Kysely<DatabaseSchema>;

export interface DatabaseConnection {
  readonly database: Database;
  /** Over the same pool: what changes something throws LeaseLost, and changes nothing, once another server has the lease. */
  readonly fencedBy: (fence: Fence) => Database;
  /** Dedicated connection for LISTEN. */
  readonly newClient: () => pg.Client;
  readonly pool: pg.Pool;
}

const POOL_SIZE = 12;
/** Timeout for a free or new connection. */
const WAIT_MS = 3000;
/** A process that stands still in a transaction keeps its locks no longer: less than a lease of its work lasts (server/work-lease). */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** Silence of a connection after which its other end is asked each second: a machine that is gone is noticed in 15 s. */
const KEEP_ALIVE_MS = 5000;
const INT8_OID = 20;

const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

export interface DatabaseOptions {
  /** May name several servers, of which one is the primary. */
  readonly url: string;
  readonly onError: (error: Error) => void;
  /** Of several servers another one takes writes now. */
  readonly onPrimary?: (place: Place) => void;
}

export function openDatabase(options: DatabaseOptions): DatabaseConnection {
  const { common, Client } = connector(options);
  const config = {
    ...common,
    connectionTimeoutMillis: WAIT_MS,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  };
  const pool = new pg.Pool({ ...config, Client, max: POOL_SIZE });
  pool.on('error', options.onError);
  // The pool handles errors of idle connections only; without this one a cut between two statements would end the process.
  pool.on('connect', (client) => client.on('error', options.onError));
  const admitting = { pool: new AdmissionControlPool(pool, () => performance.now()) };
  const database = new Kysely<DatabaseSchema>({ dialect: new PostgresDialect(admitting) });
  const fencedBy = (fence: Fence) => new Kysely<DatabaseSchema>({ dialect: new FencedDialect(admitting, fence) });
  const newClient = () => new Client({ ...common, connectionTimeoutMillis: 5000 });
  return { database, fencedBy, newClient, pool };
}

/** A server that is alone is not asked whether it is the primary. */
function connector({ url, onPrimary = () => undefined }: DatabaseOptions) {
  const addresses = databaseAddresses(url);
  const common = { connectionString: addresses[0], types, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS };
  if (addresses.length === 1) return { common, Client: StatementTimeoutClient };
  const finder = new PrimaryFinder({ addresses, onFound: onPrimary });
  return { common: { ...common, finder }, Client: PrimaryClient as typeof StatementTimeoutClient };
}
