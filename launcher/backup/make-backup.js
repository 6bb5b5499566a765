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
 * @param {string} order.to folder of backups
 * @param {Buffer} order.key
 * @param {string} order.version
 * @param {string | null} order.migration newest of the database; null: the database is not ours to back up
 * @param {readonly string[]} [order.pending] of a backup before an upgrade
 * @param {{ socketFolder: string, owner: number | null } | null} order.database null: likewise
 * @returns {Promise<string>} the folder of the backup
 */
export async function makeBackup({ data, to, key, version, migration, pending = [], database }) {
  const startedAt = Date.now();
  const name = `vedette-${new Date(startedAt)
    .toISOString()
    .replaceAll(':', '-')
    .replace(/\.\d+Z$/, 'Z')}`;
  const folder = path.join(to, name);
  const aside = `${folder}.part`;
  const work = path.join(data, workFolder);
  fs.mkdirSync(aside, { recursive: true, mode: 0o700 });
  try {
    /** @type {string | null} */
    let walFirst = null;
    if (database !== null) {
      const { archive, ...begin } = await takeBaseBackup({ ...database, folder: work });
      walFirst = begin.walFirst;
      await store(fs.createReadStream(archive), path.join(aside, databaseFile), key);
    }
    const packed = packFolder(data, [...leftOut, ...recordingsIn(data)]);
    await Promise.all([store(packed.stream, path.join(aside, dataFile), key), packed.ended]);
    const files = fs
      .readdirSync(aside)
      .map((file) => ({ name: file, bytes: fs.statSync(path.join(aside, file)).size }));
    writeManifest(aside, { version, migration, walFirst, pending, startedAt, endedAt: Date.now(), files }, key);
    fs.renameSync(aside, folder);
    return folder;
  } catch (error) {
    fs.rmSync(aside, { recursive: true, force: true });
    throw error;
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/**
 * @param {import('node:stream').Readable} from
 * @param {string} file
 * @param {Buffer} key
 */
async function store(from, file, key) {
  await pipeline(from, seal(key), fs.createWriteStream(file, { mode: 0o600, flush: true }));
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
