// Composition root of `npm run restore`: makes a data folder of a backup and its recovery key.

import { root } from './bootstrap/install.js';
import { askTerminal } from './core/ask-terminal.js';
import { runCommand } from './installation/run-installation.js';
import { findPostgres } from './postgres/binaries.js';
import { knownMigrations } from './postgres/migrations.js';
import { readRestoreOptions, restoreUsage } from './options/backup-options.js';
import { askStoreKeys } from './backup/ask-store-keys.js';
import { backupBefore, newestOf } from './backup/choose-backup.js';
import { placeOf } from './backup/manifest.js';
import { findBackups } from './backup/open-store.js';
import { backupKey, readRecoveryKey } from './backup/recovery-key.js';
import { restoreBackup } from './backup/restore-backup.js';

const command = { read: readRestoreOptions, usage: restoreUsage, verb: 'restore' };
process.exitCode = await runCommand(process.argv.slice(2), run, command);

/** @param {import('./options/backup-options.js').RestoreOptions} options */
async function run({ from, to, data, recoveryKey }) {
  const masterKey = readRecoveryKey(recoveryKey ?? (await askRecoveryKey()));
  const key = backupKey(masterKey);
  const { store, backups } = await findBackups(from, () => askStoreKeys(process.env));
  const backup = to instanceof Date ? await backupBefore(backups, to, key) : newestOf(store, backups);
  const order = {
    from: backup,
    data,
    masterKey,
    key,
    migrations: knownMigrations(root),
    programs: findPostgres(root),
    to,
  };
  const { version, startedAt, migration } = await restoreBackup(order);
  const made = new Date(startedAt).toISOString();
  process.stdout.write(`${JSON.stringify({ event: 'restored', data, from: placeOf(backup), version, made })}\n`);
  if (migration === null) process.stderr.write('vedette: the database was not in this backup; restore it by itself.\n');
  process.stderr.write(`vedette: start it with npm start -- --data ${data}\n`);
  return 0;
}

function askRecoveryKey() {
  return askTerminal('Recovery key: ', {
    code: 'recoveryKeyMissing',
    message: 'no recovery key was given, and there is no terminal to ask at.',
    hint: 'Set VEDETTE_RECOVERY_KEY.',
  });
}
