// Waits for a PostgreSQL, and creates the embedded database; never prints a password.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { LaunchError, systemCode } from '../core/launch-error.js';

const oldestVersion = 150_000;
/** A database container that starts at the same time as Vedette is waited for this long. */
const externalPatienceMs = 15_000;

/**
 * Resolves once the embedded server takes connections and the database exists.
 * @param {{ socketFolder: string, user: string, database: string, isUp: () => boolean, signal: AbortSignal }} options isUp: worth a try, so that its log stays free of refused connections
 * @returns {Promise<Record<string, unknown>>}
 */
export async function awaitDatabase({ socketFolder, user, database, isUp, signal }) {
  for (;;) {
    signal.throwIfAborted();
    try {
      if (isUp()) return await ensureDatabase({ host: socketFolder, user, database });
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
    await delay(20, undefined, { signal });
  }
}

/** @param {{ host: string, user: string, database: string }} place */
async function ensureDatabase({ host, user, database }) {
  return withClient({ host, user, database: 'postgres' }, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`create database "${database}"`);
    return { database };
  });
}

/**
 * The operator's own database: refused with a reason, never replaced by another.
 * @param {string} url
 * @param {AbortSignal} stopping
 */
export async function checkExternalDatabase(url, stopping) {
  const where = describe(url);
  const until = performance.now() + externalPatienceMs;
  for (;;) {
    try {
      const version = await withClient({ connectionString: url }, async (client) => {
        const answer = await client.query("select current_setting('server_version_num')::int as version");
        return answer.rows[0].version;
      });
      if (version >= oldestVersion) return;
      throw new LaunchError('databaseTooOld', `the database at ${where} is older than PostgreSQL 15.`);
    } catch (error) {
      if (error instanceof LaunchError) throw error;
      if (!isTransient(error) || performance.now() > until) throw refusal(error, where);
    }
    await delay(250, undefined, { signal: stopping });
  }
}

/**
 * @param {string} url
 * @returns {Promise<{ version: string, bytes: number }>}
 */
export function describeDatabase(url) {
  return withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query(
      "select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes",
    );
    return rows[0];
  });
}

/**
 * @template T
 * @param {import('pg').ClientConfig} config
 * @param {(client: import('pg').Client) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withClient(config, work) {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 3_000, query_timeout: 5_000 });
  // A connection cut while idle is reported here as well as by the next query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined); // already gone
  }
}

/** @param {unknown} error */
function isTransient(error) {
  const code = systemCode(error);
  if (['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE', '57P03', '57P01', '53300'].includes(code)) return true;
  return error instanceof Error && /terminated|timeout/i.test(error.message);
}

/** @param {string} url */
function describe(url) {
  try {
    const { host, pathname } = new URL(url);
    return `${host || 'the local socket'}${pathname}`;
  } catch {
    throw new LaunchError(
      'databaseUrlInvalid',
      'DATABASE_URL is not an address such as postgres://user:password@host/name.',
    );
  }
}

/**
 * @param {unknown} error
 * @param {string} where
 */
function refusal(error, where) {
  const code = systemCode(error);
  const reason = error instanceof Error ? error.message : String(error);
  if (code === '28P01' || code === '28000')
    return new LaunchError('databaseRefused', `the database at ${where} refuses the user or password of DATABASE_URL.`);
  if (code === '3D000')
    return new LaunchError('databaseUnknown', `there is no such database at ${where}.`, {
      hint: 'Create it, or mend DATABASE_URL.',
    });
  return new LaunchError('databaseUnreachable', `the database at ${where} does not answer (${code || reason}).`, {
    hint: 'Mend DATABASE_URL, or unset it to use the embedded PostgreSQL.',
  });
}
