// Pauses changes of a database for everybody but the upgrade: calls that write are refused as busy (1012), reading goes on, sites keep their events.

import { setTimeout as delay } from 'node:timers/promises';
import { ask, upgradeName } from './session.js';

/** @typedef {import('./session.js').Client} Client */

/** Sessions of others that began before the pause; replication is none of them. */
const others = `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
  and application_name <> '${upgradeName}' and backend_start < $1`;

/**
 * It outlives the connection: a run that is killed leaves a database that nobody writes to, and `resume` opens it again.
 * @param {Client} from
 * @returns {Promise<string>} position of the log behind the last change
 */
export async function pause(from) {
  await from.query(`alter database ${await nameOf(from)} set default_transaction_read_only = on`);
  // Only new sessions hold to it.
  const since = await ask(from, 'select clock_timestamp()::text');
  await from.query(`select pg_terminate_backend(pid) from (${others}) as old`, [since]);
  while ((await ask(from, `select count(*)::int from (${others}) as old`, [since])) > 0) await delay(5);
  return await ask(from, 'select pg_current_wal_lsn()');
}

/** @param {Client} from */
export async function resume(from) {
  await from.query(`alter database ${await nameOf(from)} reset default_transaction_read_only`);
  // Sessions that began in the pause would go on refusing changes.
  const since = await ask(from, 'select clock_timestamp()::text');
  await from.query(`select pg_terminate_backend(pid) from (${others}) as old`, [since]);
}

/** @param {Client} from */
export async function isPaused(from) {
  const sql = `select coalesce('default_transaction_read_only=on' = any(setconfig), false) from pg_db_role_setting
    join pg_database on pg_database.oid = setdatabase where datname = current_database() and setrole = 0`;
  return (await ask(from, sql)) === true;
}

/** @param {Client} client */
async function nameOf(client) {
  return client.escapeIdentifier(await ask(client, 'select current_database()'));
}
