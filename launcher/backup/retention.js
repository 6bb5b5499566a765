// Which backups are kept: the newest ones, and the write-ahead log since the oldest of them; what a backup that was cut off left behind goes with the next.

import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { backupsIn } from './choose-backup.js';
import { manifestName, readManifest } from './manifest.js';
import { removeSegmentsBefore } from './wal-archive.js';

const namePattern = /^vedette-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/**
 * @param {string} to
 * @param {number} keep
 * @returns {string[]} names of those that were removed
 */
export function removeOldBackups(to, keep) {
  const names = fs.readdirSync(to);
  const whole = names.filter((name) => namePattern.test(name) && fs.existsSync(path.join(to, name, manifestName)));
  const cut = names.filter((name) => name.endsWith('.part') && namePattern.test(name.slice(0, -'.part'.length)));
  const old = whole.toSorted().slice(0, Math.max(0, whole.length - keep));
  for (const name of [...old, ...cut]) fs.rmSync(path.join(to, name), { recursive: true, force: true });
  return old;
}

/**
 * @param {string} to
 * @param {Buffer} key
 */
export function removeOldSegments(to, key) {
  const [oldest] = backupsIn(to);
  // One of another key, or of a version that kept no log, tells nothing: then all of it stays.
  const first = oldest === undefined ? null : walFirstOf(oldest, key);
  if (first !== null) removeSegmentsBefore(to, first);
}

/**
 * @param {string} backup
 * @param {Buffer} key
 */
function walFirstOf(backup, key) {
  try {
    return readManifest(backup, key).walFirst ?? null;
  } catch (error) {
    if (error instanceof LaunchError) return null;
    throw error;
  }
}
