// Which backups are kept: the newest ones, and the write-ahead log since the oldest of them; what a backup that was cut off left behind goes with the next.

import { LaunchError } from '../core/launch-error.js';
import { backupName, backupsIn } from './choose-backup.js';
import { manifestName, readManifest } from './manifest.js';
import { removeSegmentsBefore } from './wal-archive.js';

/** @typedef {import('../backup-store/backup-store.js').BackupStore} BackupStore */

/** Earlier versions renamed a backup when it was whole. */
const cutName = '.part';

/**
 * @param {BackupStore} store
 * @param {number} keep
 * @returns {Promise<string[]>} names of those that were removed
 */
export async function removeOldBackups(store, keep) {
  const names = (await store.folders()).filter((name) => backupName.test(name.replace(cutName, '')));
  const whole = (await backupsIn(store)).map(({ name }) => name);
  // A younger one may be that of another command, which is still at it.
  const cut = names.filter((name) => !whole.includes(name) && name < (whole.at(-1) ?? ''));
  const old = whole.slice(0, Math.max(0, whole.length - keep));
  for (const name of [...old, ...cut]) {
    // First what makes it whole: a removal may be cut off too.
    await store.removeFile(`${name}/${manifestName}`);
    await store.removeFolder(name);
  }
  return old;
}

/**
 * @param {BackupStore} store
 * @param {Buffer} key
 */
export async function removeOldSegments(store, key) {
  const [oldest] = await backupsIn(store);
  // One of another key, or of a version that kept no log, tells nothing: then all of it stays.
  const first = oldest === undefined ? null : await walFirstOf(oldest, key);
  if (first !== null) await removeSegmentsBefore(store, first);
}

/**
 * @param {import('./manifest.js').StoredBackup} backup
 * @param {Buffer} key
 */
async function walFirstOf(backup, key) {
  try {
    return (await readManifest(backup, key)).walFirst ?? null;
  } catch (error) {
    if (error instanceof LaunchError) return null;
    throw error;
  }
}
