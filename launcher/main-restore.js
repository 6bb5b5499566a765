// Composition root of `npm run restore`: makes a data folder of a backup and its recovery key.

import fs from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream } from 'node:tty';
import { root } from './bootstrap/install.js';
import { LaunchError } from './core/launch-error.js';
import { runCommand } from './installation/run-installation.js';
import { findPostgres } from './postgres/binaries.js';
import { knownMigrations } from './postgres/migrations.js';
import { readRestoreOptions, restoreUsage } from './options/backup-options.js';
import { backupBefore, newestBackup } from './backup/choose-backup.js';
import { backupKey, readRecoveryKey } from './backup/recovery-key.js';
import { restoreBackup } from './backup/restore-backup.js';

const command = { read: readRestoreOptions, usage: restoreUsage, verb: 'restore' };
process.exitCode = await runCommand(process.argv.slice(2), run, command);

/** @param {import('./options/backup-options.js').RestoreOptions} options */
async function run({ from, to, data, recoveryKey }) {
  const masterKey = readRecoveryKey(recoveryKey ?? (await ask('Recovery key: ')));
  const key = backupKey(masterKey);
  const folder = to instanceof Date ? backupBefore(from, to, key) : newestBackup(from);
  const order = {
    from: folder,
    data,
    masterKey,
    key,
    migrations: knownMigrations(root),
    programs: findPostgres(root),
    to,
  };
  const { version, startedAt, migration } = await restoreBackup(order);
  const made = new Date(startedAt).toISOString();
  process.stdout.write(`${JSON.stringify({ event: 'restored', data, from: folder, version, made })}\n`);
  if (migration === null) process.stderr.write('vedette: the database was not in this backup; restore it by itself.\n');
  process.stderr.write(`vedette: start it with npm start -- --data ${data}\n`);
  return 0;
}

/**
 * From the terminal itself: standard input tells whether the parent lives (bootstrap.js).
 * @param {string} question
 */
async function ask(question) {
  const terminal = openTerminal();
  const lines = createInterface({ input: terminal, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
    terminal.destroy();
  }
}

function openTerminal() {
  try {
    return new ReadStream(fs.openSync('/dev/tty', 'r'));
  } catch {
    throw new LaunchError('recoveryKeyMissing', 'no recovery key was given, and there is no terminal to ask at.', {
      hint: 'Set VEDETTE_RECOVERY_KEY.',
    });
  }
}
