// Restores a backup into an empty data folder: everything is opened and verified before the folder gets its name.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LaunchError, systemCode } from '../core/launch-error.js';
import { writeAtomically } from '../core/write-atomically.js';
import { makePostgresFolder } from '../postgres/cluster.js';
import { databaseFile, dataFile } from './make-backup.js';
import { placeOf, readManifest } from './manifest.js';
import { recoverCluster } from './recover-cluster.js';
import { unseal } from './sealed-stream.js';
import { unpackInto } from './tar.js';

/**
 * @param {object} order
 * @param {import('./manifest.js').StoredBackup} order.from
 * @param {string} order.data a folder that is empty, or not there; recordings may lie in it
 * @param {string} order.masterKey hexadecimal
 * @param {Buffer} order.key
 * @param {readonly string[]} order.migrations that this version knows
 * @param {import('../postgres/binaries.js').PostgresPrograms} order.programs
 * @param {import('./recover-cluster.js').RecoveryTarget} order.to
 * @returns {Promise<import('./manifest.js').BackupFacts>}
 */
export async function restoreBackup({ from, data, masterKey, key, migrations, programs, to }) {
  const facts = await readManifest(from, key);
  if (facts.migration !== null && !migrations.includes(facts.migration))
    throw new LaunchError('backupNewer', `${placeOf(from)} was made by a newer version (${facts.version}).`, {
      hint: 'Install that version, or a later one, and restore with it.',
    });
  refuseUsed(data);
  await refuseShort(from, facts.files);
  const aside = `${data}.restoring`;
  fs.rmSync(aside, { recursive: true, force: true });
  fs.mkdirSync(aside, { recursive: true, mode: 0o700 });
  try {
    await unpack(from, dataFile, { folder: aside, key });
    if (facts.migration !== null) await restoreDatabase(from, aside, { key, programs, to });
    fs.mkdirSync(path.join(aside, 'keys'), { mode: 0o700 });
    writeAtomically(path.join(aside, 'keys', 'master'), `${masterKey}\n`);
    moveInto(aside, data);
    return facts;
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/**
 * @param {import('./manifest.js').StoredBackup} from
 * @param {string} aside
 * @param {Pick<Parameters<typeof restoreBackup>[0], 'key' | 'programs' | 'to'>} how
 */
async function restoreDatabase(from, aside, { key, programs, to }) {
  const clusterFolder = path.join(aside, 'postgres');
  makePostgresFolder(clusterFolder, programs);
  await unpack(from, databaseFile, { folder: clusterFolder, key });
  if (programs.owner !== null) {
    for (const name of ['.', ...fs.readdirSync(clusterFolder, { recursive: true, encoding: 'utf8' })])
      fs.lchownSync(path.join(clusterFolder, name), programs.owner, programs.owner);
  }
  const runFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-restore-'));
  try {
    await recoverCluster({ programs, clusterFolder, runFolder, store: from.store, key, to });
  } finally {
    fs.rmSync(runFolder, { recursive: true, force: true });
  }
}

/**
 * @param {import('./manifest.js').StoredBackup} from
 * @param {string} file
 * @param {{ folder: string, key: Buffer }} into
 */
async function unpack({ store, name }, file, { folder, key }) {
  const unpacked = unpackInto(folder);
  // A tar that is told nothing more ends by itself; what was refused before is the reason.
  const ended = unpacked.ended.catch((error) => error);
  await pipeline(store.read(`${name}/${file}`), unseal(key, file), unpacked.stream);
  const failure = await ended;
  if (failure instanceof Error) throw failure;
}

/**
 * Recordings that are there already are adopted by the site: they may be newer than the backup.
 * @param {string} data
 */
function refuseUsed(data) {
  const names = fs.existsSync(data) ? fs.readdirSync(data) : [];
  const used = names.find((name) => name !== 'recordings');
  if (used !== undefined)
    throw new LaunchError('dataFolderUsed', `${data} is in use: it holds ${used}.`, {
      hint: 'Restore into an empty folder with --data DIR. Only its folder recordings may be there already.',
    });
}

/**
 * @param {import('./manifest.js').StoredBackup} from
 * @param {{ name: string, bytes: number }[]} files as they were written
 */
async function refuseShort({ store, name }, files) {
  const found = await store.files(name);
  const short = files.find((file) => found.find((one) => one.name === file.name)?.bytes !== file.bytes);
  if (short === undefined) return;
  const file = store.pathOf(`${name}/${short.name}`);
  throw new LaunchError('backupDamaged', `${file} is missing or has another size than it was made with.`, {
    hint: 'Take another backup. Nothing was restored.',
  });
}

/**
 * @param {string} aside
 * @param {string} data
 */
function moveInto(aside, data) {
  fs.mkdirSync(data, { recursive: true, mode: 0o700 });
  // Where PostgreSQL runs as another user, it was let in there.
  fs.chmodSync(data, fs.statSync(aside).mode & 0o777);
  // The database last: a folder with a database counts as one that is in use.
  const names = fs.readdirSync(aside).filter((name) => name !== 'postgres');
  for (const name of [...names, 'postgres']) {
    try {
      fs.renameSync(path.join(aside, name), path.join(data, name));
    } catch (error) {
      if (name !== 'postgres' || systemCode(error) !== 'ENOENT') throw error;
    }
  }
}
