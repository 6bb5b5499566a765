// `backup.json` in the data folder: how the last backups went. The server shows it to operators.

import fs from 'node:fs';
import path from 'node:path';
import { writeAtomically } from '../core/write-atomically.js';

/**
 * Times in milliseconds since 1970 UTC.
 * @typedef {object} BackupState
 * @property {number | null} everyMs between two backups; null: nothing is scheduled
 * @property {{ at: number, tookMs: number, bytes: number, folder: string } | null} good the last one that is whole
 * @property {{ at: number, reason: string } | null} failed after the last good one
 * @property {{ at: number, tookMs: number, folder: string | null, failure: string | null } | null} check whether the newest could be
 *   restored, when that was last tried; without a folder there was none
 * @property {string | null} to place of the plan; null before it was written down
 */

/** @type {BackupState} */
const none = { everyMs: null, good: null, failed: null, check: null, to: null };

/** @param {string} data */
export function readBackupState(data) {
  try {
    return /** @type {BackupState} */ ({ ...none, ...JSON.parse(fs.readFileSync(fileIn(data), 'utf8')) });
  } catch {
    return none; // absent, or cut off: it is written anew by the next backup
  }
}

/**
 * @param {string} data
 * @param {Partial<BackupState>} change
 */
export function noteBackup(data, change) {
  writeAtomically(fileIn(data), `${JSON.stringify({ ...readBackupState(data), ...change })}\n`);
}

/**
 * No backup is taken by itself any more: an old plan would count as missed.
 * @param {string} data
 */
export function noteNoSchedule(data) {
  if (readBackupState(data).everyMs !== null) noteBackup(data, { everyMs: null });
}

/**
 * What was taken elsewhere is no backup in this place.
 * @param {string} data
 * @param {string} to
 */
export function notePlace(data, to) {
  const known = readBackupState(data).to;
  if (known === to) return;
  noteBackup(data, known === null ? { to } : { to, good: null, failed: null, check: null });
}

/** @param {string} data */
function fileIn(data) {
  return path.join(data, 'backup.json');
}
