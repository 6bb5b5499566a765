// Chooses the backup from which an instant can be restored.

import { LaunchError } from '../core/launch-error.js';
import { hasManifest, readManifest } from './manifest.js';

/** @typedef {import('./manifest.js').StoredBackup} StoredBackup */
/** @typedef {import('../backup-store/backup-store.js').BackupStore} BackupStore */

/** Of a backup, in UTC. */
export const backupName = /^vedette-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/**
 * The newest that was whole at that instant. Younger ones may have another key, after a change of the master key.
 * @param {readonly StoredBackup[]} backups the oldest first
 * @param {Date} to
 * @param {Buffer} key
 * @returns {Promise<StoredBackup>}
 */
export async function backupBefore(backups, to, key) {
  for (const backup of backups.toReversed()) if ((await endOf(backup, key)) <= to.getTime()) return backup;
  // Says so where the key is wrong for all of them.
  const [oldest] = backups;
  if (oldest !== undefined) await readManifest(oldest, key);
  throw new LaunchError('backupTooNew', `no backup is as old as ${to.toISOString()}.`, {
    hint: 'Choose a later instant with --to, or leave it out.',
  });
}

/**
 * Infinite for one of another key.
 * @param {StoredBackup} backup
 * @param {Buffer} key
 */
async function endOf(backup, key) {
  try {
    return (await readManifest(backup, key)).endedAt;
  } catch (error) {
    if (error instanceof LaunchError && error.code === 'backupKeyWrong') return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/**
 * @param {BackupStore} store
 * @param {readonly StoredBackup[]} backups the oldest first
 * @returns {StoredBackup}
 */
export function newestOf(store, backups) {
  const newest = backups.at(-1);
  if (newest !== undefined) return newest;
  throw new LaunchError('backupMissing', `${store.place} holds no backup.`, {
    hint: 'Name the folder of the backups, or one of the folders vedette-… in it, with --from.',
  });
}

/**
 * The oldest first. One without a manifest is being written, or was cut off.
 * @param {BackupStore} store
 * @returns {Promise<StoredBackup[]>}
 */
export async function backupsIn(store) {
  const backups = (await store.folders()).filter((name) => backupName.test(name)).map((name) => ({ store, name }));
  const isWhole = await Promise.all(backups.map(hasManifest));
  return backups.filter((_, at) => isWhole[at]);
}
