// Runs PostgreSQL on an unpacked base backup until it has replayed its log up to the wanted instant, and ends it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from '../core/launch-error.js';
import { clusterAddress, serverArguments, settings } from '../postgres/cluster.js';
import { postgresCommand } from '../postgres/command.js';
import { saysReady } from '../postgres/postmaster-pid.js';
import { readLines } from '../process/lines.js';
import { openWalSupply } from './wal-supply.js';

const lookMs = 20;

/**
 * @typedef {object} RecoveryOptions
 * @property {import('../postgres/binaries.js').PostgresPrograms} programs
 * @property {string} clusterFolder holds the unpacked base backup
 * @property {string} runFolder
 * @property {import('../backup-store/backup-store.js').BackupStore} store holds sealed segments
 * @property {Buffer} key
 * @property {RecoveryTarget} to
 *
 * @typedef {Date | 'backup' | 'latest'} RecoveryTarget an instant, the end of the base backup, or the end of the log
 */

/**
 * Resolves when it has ended in order, on a timeline of its own that no archive has yet.
 * @param {RecoveryOptions} options
 */
export async function recoverCluster(options) {
  const { programs, clusterFolder, runFolder, store, key } = options;
  const supply = openWalSupply({ folder: `${clusterFolder}-supply`, store, key, programs });
  const signal = path.join(clusterFolder, 'recovery.signal');
  fs.writeFileSync(signal, '');
  if (programs.owner !== null) fs.chownSync(signal, programs.owner, programs.owner);
  const { socketFolder } = clusterAddress({ programs, runFolder });
  const server = startServer(options, socketFolder, supply.command);
  try {
    await Promise.race([recovered(clusterFolder, server), supply.ended]);
  } finally {
    await server.end();
    await supply.close();
  }
}

/**
 * @param {RecoveryOptions} options
 * @param {string} socketFolder
 * @param {string} restoreCommand
 */
function startServer({ programs, clusterFolder, to }, socketFolder, restoreCommand) {
  const chosen = {
    ...settings,
    unix_socket_directories: socketFolder,
    restore_command: restoreCommand,
    recovery_target_timeline: 'current',
    ...targetSettings(to),
    recovery_target_action: 'promote',
    // Thousands of files were just unpacked: synced together, not one by one.
    recovery_init_sync_method: 'syncfs',
    // It answers nobody before it is done.
    hot_standby: 'off',
    // The history of its new timeline is marked for the next archive; nothing is archived here.
    archive_mode: 'on',
    archive_command: '',
  };
  const { command, args, ...place } = postgresCommand(programs, 'postgres', serverArguments(clusterFolder, chosen));
  const child = spawn(command, args, { ...place, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  /** @type {string[]} */
  const lines = [];
  for (const stream of [child.stdout, child.stderr]) readLines(stream, (line) => lines.push(line));
  return {
    lines,
    exited,
    async end() {
      child.kill('SIGINT');
      await exited;
    },
  };
}

/**
 * @param {RecoveryTarget} to
 * @returns {Record<string, string>}
 */
function targetSettings(to) {
  if (to === 'latest') return {};
  if (to === 'backup') return { recovery_target: 'immediate' };
  // The letter Z is the name of a zone, and names are not known yet when this is read.
  return { recovery_target_time: to.toISOString().replace('Z', '+00') };
}

/**
 * @param {string} clusterFolder
 * @param {ReturnType<typeof startServer>} server
 */
async function recovered(clusterFolder, server) {
  let hasEnded = false;
  const end = server.exited.then(() => {
    hasEnded = true;
  });
  while (!hasEnded && !saysReady(clusterFolder)) await Promise.race([end, delay(lookMs)]);
  if (hasEnded) throw refusal(server.lines);
}

/** @param {string[]} lines */
function refusal(lines) {
  if (lines.some((line) => line.includes('recovery ended before configured recovery target was reached'))) {
    const last = lines.findLast((line) => line.includes('last completed transaction was at log time'));
    const until = last?.replace(/^.*log time /, '') ?? 'an earlier instant';
    return new LaunchError('backupEndsBefore', `the backup holds changes up to ${until} only.`, {
      hint: 'Choose an earlier instant with --to, or leave it out.',
    });
  }
  const fatal = lines.findLast((line) => /FATAL|PANIC/.test(line))?.replace(/^.*(?:FATAL|PANIC): +/, '');
  return new LaunchError('recoveryFailed', `PostgreSQL could not recover the backup: ${fatal ?? 'it ended'}.`, {
    hint: 'Use an older backup with --to.',
  });
}
