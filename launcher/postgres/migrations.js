// Which migrations this version knows, and which of them the embedded database has had (server/database/migrate.ts runs them).

import fs from 'node:fs';
import path from 'node:path';
import { withClient } from './database.js';

/**
 * File names in order.
 * @param {string} root
 */
export function knownMigrations(root) {
  const names = fs.readdirSync(path.join(root, 'server', 'database', 'migrations'));
  return names.filter((name) => name.endsWith('.sql')).toSorted();
}

/**
 * File names in order; none before the first start.
 * @param {string} socketFolder of the embedded PostgreSQL
 * @returns {Promise<string[]>}
 */
export function doneMigrations(socketFolder) {
  return withClient({ host: socketFolder, user: 'vedette', database: 'vedette' }, async (client) => {
    const table = await client.query("select to_regclass('migration') is not null as is_there");
    if (!table.rows[0].is_there) return [];
    const { rows } = await client.query('select name from migration order by name');
    return rows.map(({ name }) => name);
  });
}

/**
 * @param {string} socketFolder
 * @returns {Promise<string>}
 */
export async function newestMigration(socketFolder) {
  const newest = (await doneMigrations(socketFolder)).at(-1);
  if (newest === undefined) throw new Error('the database has no table of migrations');
  return newest;
}
