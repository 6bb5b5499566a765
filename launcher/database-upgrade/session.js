// A connection to the old or the new database of an upgrade: it may write while others may not, and prints values the same way on every version.

import pg from 'pg';
import { LaunchError, systemCode } from '../core/launch-error.js';

/** Of publication, subscription, slot, and of the schema in the new database that says how far it is. */
export const upgradeName = 'vedette_upgrade';

/** @typedef {import('pg').Client} Client */

/**
 * @param {string} url
 * @param {'old' | 'new'} which
 * @returns {Promise<Client>}
 */
export async function openSession(url, which) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, keepAlive: true });
  // Told by the next query.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`set default_transaction_read_only = off; set statement_timeout = 0; set timezone = 'UTC';
      set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601'; set bytea_output = 'hex'; set extra_float_digits = 1;
      set application_name = '${upgradeName}'; set client_min_messages = warning; set search_path = public`);
    return client;
  } catch (error) {
    // Never with the address: it may hold a password.
    const reason = systemCode(error) || (error instanceof Error ? error.message : String(error));
    throw new LaunchError('databaseUnreachable', `the ${which} database does not answer (${reason}).`);
  }
}

/**
 * The first column of the first row.
 * @param {Client} client
 * @param {string} sql
 * @param {unknown[]} [values]
 * @returns {Promise<any>}
 */
export async function ask(client, sql, values = []) {
  const { rows } = await client.query({ text: sql, values, rowMode: 'array' });
  return rows[0]?.[0] ?? null;
}

/**
 * @param {Client} client
 * @param {string} sql
 * @param {unknown[]} [values]
 * @returns {Promise<string[]>} the first column
 */
export async function list(client, sql, values = []) {
  const { rows } = await client.query({ text: sql, values, rowMode: 'array' });
  return rows.map(([first]) => String(first));
}

/**
 * Ordinary and partitioned tables of ours; partitions belong to the latter.
 * @param {Client} client
 */
export function tablesOf(client) {
  return list(
    client,
    `select relname from pg_class where relnamespace = 'public'::regnamespace
     and relkind in ('r', 'p') and not relispartition and relpersistence = 'p' order by 1`,
  );
}
