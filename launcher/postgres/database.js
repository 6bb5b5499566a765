// Waits for a PostgreSQL, and creates the embedded database; never prints a password.

import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { LaunchError, systemCode } from '../core/launch-error.js';
import { databaseServers } from './database-servers.js';

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
 * The operator's own database: refused with a reason, never replaced by another. Answers its address: of several servers, of the one that takes writes.
 * @param {string} url
 * @param {AbortSignal} stopping
 * @returns {Promise<string>}
 */
export async function checkExternalDatabase(url, stopping) {
  const servers = databaseServers(url);
  const until = performance.now() + externalPatienceMs;
  for (;;) {
    const answers = await Promise.all(servers.map(askServer));
    const fault = faultOf(answers);
    if (fault === null) return /** @type {Answer} */ (answers.find(({ isPrimary }) => isPrimary)).server.url;
    if (!fault.mayPass || performance.now() > until) throw fault.error;
    await delay(250, undefined, { signal: stopping });
  }
}

/**
 * For work that ends with its connection. A server that is alone is not asked.
 * @param {string} url
 */
export async function addressOfPrimary(url) {
  return databaseServers(url).length === 1 ? url : await checkExternalDatabase(url, new AbortController().signal);
}

/**
 * @typedef {{ server: import('./database-servers.js').DatabaseServer, isPrimary: boolean, version: number, error: unknown }} Answer version 0: it did not answer
 */

/**
 * @param {import('./database-servers.js').DatabaseServer} server
 * @returns {Promise<Answer>}
 */
async function askServer(server) {
  try {
    const { version, recovers } = await withClient({ connectionString: server.url }, async (client) => {
      const answer = await client.query(
        "select current_setting('server_version_num')::int as version, pg_is_in_recovery() as recovers",
      );
      return answer.rows[0];
    });
    return { server, isPrimary: !recovers, version, error: null };
  } catch (error) {
    return { server, isPrimary: false, version: 0, error };
  }
}

/**
 * One server must take writes; the others may be away, but not refuse this database or its user.
 * @param {readonly Answer[]} answers
 * @returns {{ error: LaunchError, mayPass: boolean } | null}
 */
function faultOf(answers) {
  const refused = answers.find(({ error }) => error !== null && !isTransient(error) && !isAway(error));
  if (refused !== undefined) return { error: refusal(refused), mayPass: false };
  const old = answers.find(({ version }) => version > 0 && version < oldestVersion);
  if (old !== undefined) {
    const message = `the database at ${old.server.place} is older than PostgreSQL 15.`;
    return { error: new LaunchError('databaseTooOld', message), mayPass: false };
  }
  const primaries = answers.filter(({ isPrimary }) => isPrimary).map(({ server }) => server.place);
  if (primaries.length === 1) return null;
  if (primaries.length > 1) return { error: twoPrimaries(primaries), mayPass: true };
  const away = answers.find(({ error }) => error !== null);
  if (away === undefined || answers.length > 1) return { error: noPrimary(answers), mayPass: true };
  return { error: refusal(away), mayPass: isTransient(away.error) };
}

/** @param {readonly string[]} places */
function twoPrimaries(places) {
  return new LaunchError(
    'databasePrimaries',
    `${places.join(' and ')} both take writes: they are no longer one database.`,
    {
      hint: 'Find out which one holds what counts, and make the other a standby of it.',
    },
  );
}

/** @param {readonly Answer[]} answers */
function noPrimary(answers) {
  const said = answers.map(
    ({ server: { place }, error }) =>
      `${place} ${error === null ? 'is a standby' : `does not answer (${reasonOf(error)})`}`,
  );
  return new LaunchError('databaseNoPrimary', `no server of DATABASE_URL takes writes: ${said.join(', ')}.`, {
    hint: 'Promote a standby, or name the server that takes writes.',
  });
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

/**
 * Of several servers one may be gone with its machine or its name.
 * @param {unknown} error
 */
function isAway(error) {
  return ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'].includes(
    systemCode(error),
  );
}

/** @param {unknown} error */
function reasonOf(error) {
  return systemCode(error) || (error instanceof Error ? error.message : String(error));
}

/** @param {Answer} answer */
function refusal({ server: { place: where }, error }) {
  const code = systemCode(error);
  if (code === '28P01' || code === '28000')
    return new LaunchError('databaseRefused', `the database at ${where} refuses the user or password of DATABASE_URL.`);
  if (code === '3D000')
    return new LaunchError('databaseUnknown', `there is no such database at ${where}.`, {
      hint: 'Create it, or mend DATABASE_URL.',
    });
  return new LaunchError('databaseUnreachable', `the database at ${where} does not answer (${reasonOf(error)}).`, {
    hint: 'Mend DATABASE_URL, or unset it to use the embedded PostgreSQL.',
  });
}
