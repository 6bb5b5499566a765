// Composition root of `npm run database:upgrade`: from the database of an installation that runs into a new one.

import { once } from 'node:events';
import { root } from './bootstrap/install.js';
import { LaunchError } from './core/launch-error.js';
import { makeRunFolder } from './data/run-folder.js';
import { openSession } from './database-upgrade/session.js';
import { checkUpgrade, takeBack, upgradeDatabase } from './database-upgrade/upgrade-database.js';
import { runCommand } from './installation/run-installation.js';
import { databaseUpgradeUsage, readDatabaseUpgradeOptions } from './options/database-upgrade-options.js';
import { findPostgres } from './postgres/binaries.js';
import { clusterAddress } from './postgres/cluster.js';
import { addressOfPrimary } from './postgres/database.js';
import { knownMigrations } from './postgres/migrations.js';

const say = (/** @type {string} */ text) => process.stderr.write(`vedette: ${text}\n`);
const command = { read: readDatabaseUpgradeOptions, usage: databaseUpgradeUsage, verb: 'upgrade the database' };
process.exitCode = await runCommand(process.argv.slice(2), run, command);

/** @param {import('./options/database-upgrade-options.js').DatabaseUpgradeOptions} options */
async function run(options) {
  const fromUrl =
    options.from === null
      ? clusterAddress({ programs: findPostgres(root), runFolder: makeRunFolder(options.data) }).url
      : await addressOfPrimary(options.from);
  const from = await openSession(fromUrl, 'old');
  try {
    if (options.kind === 'prepare') return await prepare(from);
    if (options.kind === 'back') return await back(from, options.to);
    const to = await openSession(await addressOfPrimary(options.to), 'new');
    try {
      return await upgrade({ from, to, fromUrl }, options);
    } finally {
      await to.end();
    }
  } finally {
    await from.end();
  }
}

/**
 * @param {Pick<import('./database-upgrade/upgrade-database.js').Upgrade, 'from' | 'to' | 'fromUrl'>} databases
 * @param {import('./options/database-upgrade-options.js').DatabaseUpgradeOptions} options
 */
async function upgrade(databases, { kind, countsOnly }) {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) void once(process, signal).then(() => stop.abort());
  const order = { ...databases, root, known: knownMigrations(root), countsOnly, stopping: stop.signal, say };
  await checkUpgrade(order);
  if (kind === 'dry-run') {
    say('everything is ready; nothing was changed.');
    return 0;
  }
  const moved = await upgradeDatabase(order);
  process.stdout.write(`${JSON.stringify({ event: 'upgraded', ...moved })}\n`);
  if (moved !== null) say(`changes were refused for ${moved.pausedMs} ms, and are until the restart.`);
  say(`Restart Vedette now with DATABASE_URL of the new database.`);
  say('The old one stays closed to changes; npm run database:upgrade -- --back opens it again.');
  return 0;
}

/** @param {import('pg').Client} from */
async function prepare(from) {
  await from.query("alter system set wal_level = 'logical'");
  say('wal_level = logical holds after the next start of that PostgreSQL (of Vedette, for the embedded one).');
  return 0;
}

/**
 * @param {import('pg').Client} from
 * @param {string} toUrl
 */
async function back(from, toUrl) {
  const to = await openSession(toUrl, 'new').catch((error) => {
    if (!(error instanceof LaunchError)) throw error;
    say(`${error.message} It is left as it is.`);
    return null;
  });
  try {
    const { wasPaused } = await takeBack(from, to);
    say(wasPaused ? 'the old database takes changes again.' : 'there was no pause; what had been begun is removed.');
    return 0;
  } finally {
    await to?.end();
  }
}
