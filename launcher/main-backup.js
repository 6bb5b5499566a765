// Composition root of `npm run backup`: backs up an installation that runs, or starts its database alone for that.

import fs from 'node:fs';
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
import { noteBackup } from './backup/backup-state.js';
import { checkBackup } from './backup/check-backup.js';
import { makeBackup, refuseInside } from './backup/make-backup.js';
import { backupKey, readMasterKey, writeRecoveryKey } from './backup/recovery-key.js';
import { removeOldBackups, removeOldSegments } from './backup/retention.js';

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
  const startedAt = Date.now();
  try {
    const key = backupKey(masterKey);
    const folder = await backUp(options, key);
    const bytes = fs.readdirSync(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
    noteBackup(options.data, { good: { at: startedAt, tookMs: Date.now() - startedAt, bytes, folder }, failed: null });
    const removed = removeOldBackups(options.to, options.keep);
    removeOldSegments(options.to, key);
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
 * @param {Extract<import('./options/backup-options.js').BackupOptions, { kind: 'check' }>} options
 * @param {string} masterKey
 */
async function check({ data, to }, masterKey) {
  const at = Date.now();
  const order = {
    to,
    data,
    masterKey,
    key: backupKey(masterKey),
    migrations: knownMigrations(root),
    programs: findPostgres(root),
  };
  try {
    const folder = await checkBackup(order);
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
 * @param {Extract<import('./options/backup-options.js').BackupOptions, { kind: 'backup' }>} options
 * @param {Buffer} key
 */
async function backUp({ data, to, databaseUrl }, key) {
  refuseInside(to, data);
  const order = { data, to, key, version: productVersion(root) };
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
