// Backup before an upgrade: taken when the database lacks migrations of this version, before the first of them runs.

import path from 'node:path';
import { FolderStore } from '../backup-store/folder-store.js';
import { LaunchError } from '../core/launch-error.js';
import { doneMigrations } from '../postgres/migrations.js';
import { backupsIn } from './choose-backup.js';
import { makeBackup, upgradeFolder } from './make-backup.js';
import { placeOf, readManifest } from './manifest.js';
import { removeOldBackups } from './retention.js';

/**
 * Takes it where one is due. One is kept, in the data folder: an operator without a folder for backups can go back as well.
 * @param {object} order
 * @param {string} order.data
 * @param {Buffer} order.key
 * @param {string} order.version
 * @param {readonly string[]} order.migrations that this version knows
 * @param {{ socketFolder: string, owner: number | null }} order.database
 * @param {(text: string) => void} order.say
 */
export async function backUpBeforeUpgrade(order) {
  const done = await doneMigrations(order.database.socketFolder);
  const migration = done.at(-1);
  const pending = order.migrations.filter((name) => !done.includes(name));
  if (migration === undefined || pending.length === 0) return;
  try {
    await backUp(order, migration, pending);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LaunchError('upgradeBackupFailed', `the database could not be backed up before its upgrade: ${reason}`, {
      hint: 'Nothing was changed: the version before starts as it did. Make room in the data folder, or start once with --no-upgrade-backup.',
      cause: error,
    });
  }
}

/**
 * @param {Parameters<typeof backUpBeforeUpgrade>[0]} order
 * @param {string} migration newest of the database
 * @param {readonly string[]} pending
 */
async function backUp({ data, key, version, database, say }, migration, pending) {
  const store = new FolderStore(path.join(data, upgradeFolder));
  if (await isUnfinished(store, key, pending)) return;
  say(`the database is backed up before an upgrade of ${pending.length} steps`);
  const made = await makeBackup({ data, store, key, version, migration, pending, database });
  await removeOldBackups(store, 1);
  say(`the backup before the upgrade is ${placeOf(made)}`);
}

/**
 * Whether an upgrade that was cut off goes on: its backup holds the database as it was before the first step.
 * @param {import('../backup-store/backup-store.js').BackupStore} store
 * @param {Buffer} key
 * @param {readonly string[]} pending
 */
export async function isUnfinished(store, key, pending) {
  const last = (await backupsIn(store)).at(-1);
  const before = last === undefined ? [] : await pendingOf(last, key);
  return before.some((name) => pending.includes(name)) && before.some((name) => !pending.includes(name));
}

/**
 * @param {import('./manifest.js').StoredBackup} backup
 * @param {Buffer} key
 */
async function pendingOf(backup, key) {
  try {
    return (await readManifest(backup, key)).pending ?? [];
  } catch (error) {
    if (error instanceof LaunchError) return []; // of another key, or damaged: as good as none
    throw error;
  }
}
