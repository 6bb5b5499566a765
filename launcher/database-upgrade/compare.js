// Proves that two databases hold the same: sequences are set first, then each table is counted and summed up on both sides.

import { LaunchError } from '../core/launch-error.js';
import { list, tablesOf } from './session.js';

/** @typedef {import('./session.js').Client} Client */

/**
 * @param {Client} from
 * @param {Client} to
 */
export async function copySequences(from, to) {
  const names = await list(from, "select sequencename from pg_sequences where schemaname = 'public' order by 1");
  for (const name of names) {
    const { rows } = await from.query(`select last_value::text, is_called from ${from.escapeIdentifier(name)}`);
    const [{ last_value: value, is_called: isCalled }] = rows;
    await to.query('select setval($1::regclass, $2::bigint, $3)', [to.escapeIdentifier(name), value, isCalled]);
  }
  return names.length;
}

/**
 * The sum of a digest of each row does not depend on their order.
 * @param {Client} from
 * @param {Client} to
 * @param {boolean} countsOnly
 * @returns {Promise<{ tables: number, rows: number }>}
 */
export async function compareTables(from, to, countsOnly) {
  const tables = await tablesOf(from);
  const sum = countsOnly ? "''" : "coalesce(sum(('x' || left(md5(t::text), 16))::bit(64)::bigint::numeric), 0)";
  let total = 0;
  for (const table of tables) {
    const sql = `select count(*)::text as rows, ${sum}::text as digest from ${from.escapeIdentifier(table)} as t`;
    const [{ rows: old }, { rows: copied }] = await Promise.all([from.query(sql), to.query(sql)]);
    if (old[0].rows !== copied[0].rows || old[0].digest !== copied[0].digest)
      throw new LaunchError(
        'upgradeDiffers',
        `${table} differs: ${old[0].rows} rows, and ${copied[0].rows} in the new database.`,
      );
    total += Number(old[0].rows);
  }
  return { tables: tables.length, rows: total };
}
