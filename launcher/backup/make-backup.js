// Makes one backup of an installation that runs or stands still: database and data folder without keys and recordings, sealed.

import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LaunchError } from '../core/launch-error.js';
import { takeBaseBackup } from './base-backup.js';
import { writeManifest } from './manifest.js';
import { seal } from './sealed-stream.js';
import { packFolder } from './tar.js';

export const databaseFile = 'database.tar.sealed';
export const dataFile = 'data.tar.sealed';
const workFolder = 'backup-work';
/** Of the data folder; holds the backup before the last upgrade. */
export const upgradeFolder = 'before-upgrade';
/** Where a check restores the newest backup. */
export const checkFolder = 'backup-check';
/** Its presence asks for a backup now: the server puts it there (server/features/system-health). */
export const requestFile = 'backup.request';
/** The database is backed up by itself; keys never; the rest belongs to one run of one machine. */
const leftOut = [
  'postgres',
  'postgres.new',
  'postgres-wal',
  'keys',
  'run',
  'logs',
  workFolder,
  checkFolder,
  `${checkFolder}.restoring`,
  upgradeFolder,
  requestFile,
  'vedette.lock',
  'backup.json',
];
/** Marks a folder of recordings (site/recording). */
const recordingsMark = 'vedette-storage.json';
/** Folders of recordings lie this deep in the data folder at most. */
const deepest = 3;

/**
 * @param {object} order
 * @param {string} order.data
 * @param {import('../backup-store/backup-store.js').BackupStore} order.store
 * @param {Buffer} order.key
 * @param {string} order.version
 * @param {string | null} order.migration newest of the database; null: the database is not ours to back up
 * @param {readonly string[]} [order.pending] of a backup before an upgrade
 * @param {{ socketFolder: string, owner: number | null } | null} order.database null: likewise
 * @returns {Promise<import('./manifest.js').StoredBackup & { bytes: number }>}
 */
export async function makeBackup({ data, store, key, version, migration, pending = [], database }) {
  const startedAt = Date.now();
  const name = `vedette-${new Date(startedAt)
    .toISOString()
    .replaceAll(':', '-')
    .replace(/\.\d+Z$/, 'Z')}`;
  const work = path.join(data, workFolder);
  /** @param {string} file */
  const into = (file) => /** @param {AsyncIterable<Buffer>} sealed */ (sealed) =>
    store.write(`${name}/${file}`, sealed);
  await store.prepare();
  try {
    /** @type {string | null} */
    let walFirst = null;
    if (database !== null) {
      const { archive, ...begin } = await takeBaseBackup({ ...database, folder: work });
      walFirst = begin.walFirst;
      await pipeline(fs.createReadStream(archive), seal(key), into(databaseFile));
    }
    const packed = packFolder(data, [...leftOut, ...recordingsIn(data)]);
    await Promise.all([pipeline(packed.stream, seal(key), into(dataFile)), packed.ended]);
    const files = await store.files(name);
    // The manifest last: where it stands, its backup is whole.
    const facts = { version, migration, walFirst, pending, startedAt, endedAt: Date.now(), files };
    await writeManifest({ store, name }, facts, key);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    return { store, name, bytes };
  } catch (error) {
    // Where the store is what failed, the next backup removes what is there.
    await store.removeFolder(name).catch(() => undefined);
    throw error;
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/**
 * A backup inside of what is backed up would hold the ones before it, and is lost with it.
 * @param {string} to
 * @param {string} data
 */
export function refuseInside(to, data) {
  const way = path.relative(data, to);
  if (way === '' || !(way.startsWith('..') || path.isAbsolute(way)))
    throw new LaunchError('backupInside', `${to} lies in the data folder itself.`, {
      hint: 'Choose a folder on another disk or machine with --to DIR.',
    });
}

/**
 * Paths of the folders of recordings below the data folder.
 * @param {string} data
 * @param {string} [below]
 * @param {number} [depth]
 * @returns {string[]}
 */
function recordingsIn(data, below = '', depth = 0) {
  const names = fs.readdirSync(path.join(data, below), { withFileTypes: true });
  if (names.some(({ name }) => name === recordingsMark)) return [below];
  if (depth === deepest) return [];
  return names
    .filter((entry) => entry.isDirectory() && !(depth === 0 && leftOut.includes(entry.name)))
    .flatMap(({ name }) => recordingsIn(data, path.join(below, name), depth + 1));
}
