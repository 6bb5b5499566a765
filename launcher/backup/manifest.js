// Manifest of a backup: what it holds and which version made it, authenticated with the key of the backup.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { LaunchError } from '../core/launch-error.js';

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
 * One backup among those of a store.
 * @typedef {{ store: import('../backup-store/backup-store.js').BackupStore, name: string }} StoredBackup
 */

/** @param {StoredBackup} backup */
export function placeOf({ store, name }) {
  return store.pathOf(name);
}

/** @param {StoredBackup} backup */
export function hasManifest({ store, name }) {
  return store.has(`${name}/${manifestName}`);
}

/**
 * @param {StoredBackup} backup
 * @param {Omit<BackupFacts, 'format'>} facts
 * @param {Buffer} key
 */
export async function writeManifest({ store, name }, facts, key) {
  const text = JSON.stringify({ format, ...facts });
  const signed = Buffer.from(`${JSON.stringify({ facts: text, hmac: mac(text, key) })}\n`);
  await store.write(`${name}/${manifestName}`, [signed]);
}

/**
 * @param {StoredBackup} backup
 * @param {Buffer} key
 * @returns {Promise<BackupFacts>}
 */
export async function readManifest(backup, key) {
  const { facts, hmac } = await readSigned(backup);
  const place = placeOf(backup);
  const expected = Buffer.from(mac(facts, key));
  const given = Buffer.from(hmac);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new LaunchError(
      'backupKeyWrong',
      `${place} was sealed with another recovery key, or its manifest was changed.`,
      {
        hint: 'Use the recovery key of the installation that made the backup.',
      },
    );
  }
  const read = /** @type {BackupFacts} */ (JSON.parse(facts));
  if (read.format > format)
    throw new LaunchError('backupNewer', `${place} was made by a newer version (${read.version}).`, {
      hint: 'Install that version, or a later one, and restore with it.',
    });
  return read;
}

/** @param {StoredBackup} backup */
async function readSigned(backup) {
  const file = `${backup.name}/${manifestName}`;
  if (!(await hasManifest(backup)))
    throw new LaunchError('backupMissing', `${placeOf(backup)} holds no backup: there is no ${manifestName}.`, {
      hint: 'Name one of the folders vedette-… with --from.',
    });
  const bytes = await buffer(backup.store.read(file));
  try {
    const { facts, hmac } = JSON.parse(bytes.toString('utf8'));
    if (typeof facts === 'string' && typeof hmac === 'string') return { facts, hmac };
  } catch {
    // Told below.
  }
  throw new LaunchError('backupDamaged', `${backup.store.pathOf(file)} is no manifest of a backup.`, {
    hint: 'Take another backup.',
  });
}

/**
 * @param {string} text
 * @param {Buffer} key
 */
function mac(text, key) {
  return createHmac('sha256', key).update(`manifest ${text}`).digest('hex');
}
