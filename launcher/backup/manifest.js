// Manifest of a backup: what it holds and which version made it, authenticated with the key of the backup.

import { createHmac, timingSafeEqual } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { writeAtomically } from '../core/write-atomically.js';

export const manifestName = 'manifest.json';
const format = 1;

/**
 * @typedef {object} BackupFacts
 * @property {number} format
 * @property {string} version of the product
 * @property {string | null} migration newest of the database; null: the database was another's and is not in it
 * @property {string | null} [walFirst] oldest segment of the write-ahead log that it needs; absent in the first backups
 * @property {readonly string[]} [pending] migrations that were to run next; none but in a backup before an upgrade
 * @property {number} startedAt milliseconds since 1970 UTC
 * @property {number} endedAt
 * @property {{ name: string, bytes: number }[]} files
 */

/**
 * @param {string} folder
 * @param {Omit<BackupFacts, 'format'>} facts
 * @param {Buffer} key
 */
export function writeManifest(folder, facts, key) {
  const text = JSON.stringify({ format, ...facts });
  writeAtomically(path.join(folder, manifestName), `${JSON.stringify({ facts: text, hmac: mac(text, key) })}\n`);
}

/**
 * @param {string} folder
 * @param {Buffer} key
 * @returns {BackupFacts}
 */
export function readManifest(folder, key) {
  const { facts, hmac } = readSigned(folder);
  const expected = Buffer.from(mac(facts, key));
  const given = Buffer.from(hmac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new LaunchError(
      'backupKeyWrong',
      `${folder} was sealed with another recovery key, or its manifest was changed.`,
      {
        hint: 'Use the recovery key of the installation that made the backup.',
      },
    );
  }
  const read = /** @type {BackupFacts} */ (JSON.parse(facts));
  if (read.format > format)
    throw new LaunchError('backupNewer', `${folder} was made by a newer version (${read.version}).`, {
      hint: 'Install that version, or a later one, and restore with it.',
    });
  return read;
}

/** @param {string} folder */
function readSigned(folder) {
  const file = path.join(folder, manifestName);
  if (!fs.existsSync(file))
    throw new LaunchError('backupMissing', `${folder} holds no backup: there is no ${manifestName}.`, {
      hint: 'Name one of the folders vedette-… with --from.',
    });
  try {
    const { facts, hmac } = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (typeof facts === 'string' && typeof hmac === 'string') return { facts, hmac };
  } catch {
    // Told below.
  }
  throw new LaunchError('backupDamaged', `${file} is no manifest of a backup.`, { hint: 'Take another backup.' });
}

/**
 * @param {string} text
 * @param {Buffer} key
 */
function mac(text, key) {
  return createHmac('sha256', key).update(`manifest ${text}`).digest('hex');
}
