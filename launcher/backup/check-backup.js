// Proves that the newest backup can be restored: into a folder of its own, up to the end of its log, and away with it again.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { openCluster } from '../postgres/cluster.js';
import { newestMigration } from '../postgres/migrations.js';
import { backupsIn, newestOf } from './choose-backup.js';
import { checkFolder } from './make-backup.js';
import { placeOf } from './manifest.js';
import { restoreBackup } from './restore-backup.js';
import { walFolder } from './wal-archive.js';

/**
 * @param {object} order
 * @param {import('../backup-store/backup-store.js').BackupStore} order.store
 * @param {string} order.data
 * @param {string} order.masterKey hexadecimal
 * @param {Buffer} order.key
 * @param {readonly string[]} order.migrations that this version knows
 * @param {import('../postgres/binaries.js').PostgresPrograms} order.programs
 * @returns {Promise<string>} where the backup is
 */
export async function checkBackup({ store, data, masterKey, key, migrations, programs }) {
  const from = newestOf(store, await backupsIn(store));
  const scratch = path.join(data, checkFolder);
  const hasLog = (await store.folders()).includes(walFolder);
  removeCheckFolder(data);
  try {
    const order = { from, data: scratch, masterKey, key, migrations, programs };
    const facts = await restoreBackup({ ...order, to: hasLog ? 'latest' : 'backup' });
    if (facts.migration !== null) await askDatabase(scratch, { programs, oldest: facts.migration });
    return placeOf(from);
  } finally {
    removeCheckFolder(data);
  }
}

/**
 * @param {string} scratch
 * @param {{ programs: import('../postgres/binaries.js').PostgresPrograms, oldest: string }} wanted oldest: migration of the backup, which its log can only have left behind
 */
async function askDatabase(scratch, { programs, oldest }) {
  const runFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-check-'));
  const cluster = openCluster({
    programs,
    clusterFolder: path.join(scratch, 'postgres'),
    runFolder,
    log: () => undefined,
    onPid: () => undefined,
    stopping: new AbortController().signal,
  });
  try {
    await cluster.start();
    const migration = await newestMigration(cluster.socketFolder);
    if (migration < oldest)
      throw new LaunchError('recoveryFailed', `the restored database is at ${migration}, its backup at ${oldest}.`);
  } finally {
    await cluster.process.end();
    fs.rmSync(runFolder, { recursive: true, force: true });
  }
}

/**
 * Also what a check left that was cut off.
 * @param {string} data
 */
export function removeCheckFolder(data) {
  const scratch = path.join(data, checkFolder);
  for (const folder of [scratch, `${scratch}.restoring`]) fs.rmSync(folder, { recursive: true, force: true });
}
