// Chooses the backup from which an instant can be restored.

import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { manifestName, readManifest } from './manifest.js';

/**
 * The newest that was whole at that instant.
 * @param {string} from a backup, or a folder of them
 * @param {Date} to
 * @param {Buffer} key
 * @returns {string} its folder
 */
export function backupBefore(from, to, key) {
  const folders = backupsIn(from);
  const folder = folders.findLast((one) => readManifest(one, key).endedAt <= to.getTime());
  if (folder !== undefined) return folder;
  throw new LaunchError('backupTooNew', `no backup in ${from} is as old as ${to.toISOString()}.`, {
    hint: 'Choose a later instant with --to, or leave it out.',
  });
}

/**
 * @param {string} from a backup, or a folder of them
 * @returns {string} its folder; `from` itself where it holds none
 */
export function newestBackup(from) {
  return backupsIn(from).at(-1) ?? from;
}

/**
 * The oldest first.
 * @param {string} from
 */
export function backupsIn(from) {
  if (fs.existsSync(path.join(from, manifestName))) return [from];
  const names = fs.existsSync(from) ? fs.readdirSync(from) : [];
  // A cut one keeps its name while it is written, without a manifest that counts.
  const whole = names.filter((name) => !name.endsWith('.part') && fs.existsSync(path.join(from, name, manifestName)));
  return whole.toSorted().map((name) => path.join(from, name));
}
