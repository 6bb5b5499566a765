// Composition root of `npm run backup`: backs up an installation that runs, or starts its database alone for that.

import path from 'node:path';
import { root } from './bootstrap/install.js';
import { LaunchError } from './core/launch-error.js';
import { productVersion } from './core/product-version.js';
import { lockDataFolder } from './data/data-folder.js';
import { makeRunFolder } from './data/run-folder.js';
import { runCommand } from './installation/run-installation.js';
import { findPostgres } from './postgres/binaries.js';
import { openCluster } from './postgres/cluster.js';
import { knownMigrations, newestMigration } from './postgres/migrations.js';
import { backupUsage, readBackupOptions } from './options/backup-options.js';
import { probeStore } from './backup-store/probe-store.js';
import { isS3Address, bucketPlace, readS3Address } from './backup-store/s3-address.js';
import { askStoreKeys } from './backup/ask-store-keys.js';
import { noteBackup } from './backup/backup-state.js';
import { checkBackup } from './backup/check-backup.js';
import { makeBackup, refuseInside } from './backup/make-backup.js';
import { placeOf } from './backup/manifest.js';
import { openBucket, openStore } from './backup/open-store.js';
import { backupKey, readMasterKey, writeRecoveryKey } from './backup/recovery-key.js';
import { removeOldBackups, removeOldSegments } from './backup/retention.js';
import { saveStoreKeys } from './backup/store-keys.js';

const say = (/** @type {string} */ text) => process.stderr.write(`vedette: ${text}\n`);
const command = { read: readBackupOptions, usage: backupUsage, verb: 'back up' };
process.exitCode = await runCommand(process.argv.slice(2), run, command);

/** @param {import('./options/backup-options.js').BackupOptions} options */
async function run(options) {
  const masterKey = readMasterKey(options.data, process.env['VEDETTE_KEY']);
  if (options.kind === 'show') {
    process.stdout.write(`${writeRecoveryKey(masterKey)}\n`);
    return 0;
  }
  if (options.kind === 'check') return await check(options, masterKey);
  if (options.kind === 'keys') return await saveKeys(options, masterKey);
  const startedAt = Date.now();
  try {
    const key = backupKey(masterKey);
    const store = await openStore(options.to, { env: process.env, data: options.data, masterKey });
    const made = await backUp(options, store, key);
    const { bytes } = made;
    const folder = placeOf(made);
    noteBackup(options.data, { good: { at: startedAt, tookMs: Date.now() - startedAt, bytes, folder }, failed: null });
    const removed = await removeOldBackups(store, options.keep);
    await removeOldSegments(store, key);
    process.stdout.write(`${JSON.stringify({ event: 'backup', folder, bytes, removed })}\n`);
    return 0;
  } catch (error) {
    noteBackup(options.data, {
      failed: { at: startedAt, reason: error instanceof Error ? error.message : String(error) },
    });
    throw error;
  }
}

/**
 * @param {{ data: string, to: string }} options
 * @param {string} masterKey
 */
async function check({ data, to }, masterKey) {
  const at = Date.now();
  const known = { migrations: knownMigrations(root), programs: findPostgres(root) };
  try {
    const store = await openStore(to, { env: process.env, data, masterKey });
    const folder = await checkBackup({ store, data, masterKey, key: backupKey(masterKey), ...known });
    const tookMs = Date.now() - at;
    noteBackup(data, { check: { at, tookMs, folder, failure: null } });
    process.stdout.write(`${JSON.stringify({ event: 'checked', folder, tookMs })}\n`);
    return 0;
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    noteBackup(data, { check: { at, tookMs: Date.now() - at, folder: null, failure } });
    throw error;
  }
}

/**
 * Nothing is kept that does not work.
 * @param {{ data: string, to: string }} options
 * @param {string} masterKey
 */
async function saveKeys({ data, to }, masterKey) {
  const address = readS3Address(to);
  const keys = await askStoreKeys(process.env);
  await probeStore(openBucket(address, keys, { mostTries: 1 }));
  await saveStoreKeys({ data, masterKey }, address, keys);
  process.stdout.write(`${JSON.stringify({ event: 'keysSaved', place: bucketPlace(address) })}\n`);
  return 0;
}

/**
 * @param {Extract<import('./options/backup-options.js').BackupOptions, { kind: 'backup' }>} options
 * @param {import('./backup-store/backup-store.js').BackupStore} store
 * @param {Buffer} key
 * @returns {ReturnType<typeof makeBackup>}
 */
async function backUp({ data, to, databaseUrl }, store, key) {
  if (!isS3Address(to)) refuseInside(to, data);
  const order = { data, store, key, version: productVersion(root) };
  if (databaseUrl !== null) {
    say('the database of DATABASE_URL is not in this backup: back it up with its own tools.');
    return await makeBackup({ ...order, migration: null, database: null });
  }
  return await withDatabase(data, async (cluster) => {
    const migration = await newestMigration(cluster.socketFolder);
    return await makeBackup({ ...order, migration, database: cluster });
  });
}

/**
 * @template T
 * @param {string} data
 * @param {(cluster: { socketFolder: string, owner: number | null }) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withDatabase(data, work) {
  const lock = lockUnlessRunning(data);
  const programs = findPostgres(root);
  const cluster = openCluster({
    programs,
    clusterFolder: path.join(data, 'postgres'),
    runFolder: makeRunFolder(data),
    log: (line) => say(line),
    onPid: () => undefined,
    stopping: new AbortController().signal,
  });
  const place = { socketFolder: cluster.socketFolder, owner: programs.owner };
  if (lock === null) return await work(place);
  try {
    await cluster.start();
    return await work(place);
  } finally {
    await cluster.process.end();
    lock.release();
  }
}

/** @param {string} data */
function lockUnlessRunning(data) {
  try {
    return lockDataFolder(data);
  } catch (error) {
    if (error instanceof LaunchError && error.code === 'dataFolderInUse') return null;
    throw error;
  }
}
