// Options of `npm run backup` and `npm run restore`.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { LaunchError } from '../core/launch-error.js';
import { setting } from './setting.js';

export const usualKeep = 7;
const mostKept = 10_000;

export const backupUsage = `Usage: npm run backup -- --to DIR [options]

  --to DIR               folder of the backups, not in the data folder   VEDETTE_BACKUP_TO
  --check                restores the newest backup there into the data folder's own backup-check,
                         looks into its database, and removes it again: proves that it can be restored
  --keep N               as many backups stay there, default ${usualKeep}          VEDETTE_BACKUP_KEEP
  --data DIR             data folder of the installation                 VEDETTE_DATA, default ./data
  --show-recovery-key    prints the key that opens the backups, and nothing else
  --help                 this text

  The installation may run meanwhile. Recordings and keys are never in a backup.`;

export const restoreUsage = `Usage: npm run restore -- --from DIR [options]

  --from DIR             a backup, or the folder of the backups for the newest
  --to TIME              the database as it was at that instant, such as 2026-11-26T12:00:00Z, or latest;
                         without it, as the backup holds it
  --data DIR             data folder to make, empty or absent            VEDETTE_DATA, default ./data
  --help                 this text

  VEDETTE_RECOVERY_KEY   the recovery key; without it, it is asked for`;

/**
 * @typedef {{ kind: 'show', data: string } | { kind: 'check', data: string, to: string } | { kind: 'backup', data: string, to: string, keep: number, databaseUrl: string | null }} BackupOptions
 */

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @param {string} root folder against which paths are resolved
 * @returns {BackupOptions | 'help'}
 */
export function readBackupOptions(args, env, root) {
  const definition = /** @type {const} */ ({
    to: { type: 'string' },
    keep: { type: 'string' },
    check: { type: 'boolean' },
    data: { type: 'string' },
    'show-recovery-key': { type: 'boolean' },
    help: { type: 'boolean' },
  });
  const values = parse(() => parseArgs({ args, options: definition, strict: true }).values, 'backup');
  if (values.help) return 'help';
  const data = path.resolve(root, setting(values.data, env['VEDETTE_DATA'], 'data'));
  if (values['show-recovery-key']) return { kind: 'show', data };
  const to = setting(values.to, env['VEDETTE_BACKUP_TO'], '');
  if (to === '') throw wrong('--to DIR is missing: the folder of the backups.', 'backup');
  if (values.check) return { kind: 'check', data, to: path.resolve(root, to) };
  const keep = readKeep(setting(values.keep, env['VEDETTE_BACKUP_KEEP'], String(usualKeep)));
  return { kind: 'backup', data, to: path.resolve(root, to), keep, databaseUrl: env['DATABASE_URL'] || null };
}

/**
 * @typedef {object} RestoreOptions
 * @property {string} from
 * @property {Date | 'backup' | 'latest'} to
 * @property {string} data
 * @property {string | null} recoveryKey
 */

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @param {string} root
 * @returns {RestoreOptions | 'help'}
 */
export function readRestoreOptions(args, env, root) {
  const definition = /** @type {const} */ ({
    from: { type: 'string' },
    to: { type: 'string' },
    data: { type: 'string' },
    help: { type: 'boolean' },
  });
  const values = parse(() => parseArgs({ args, options: definition, strict: true }).values, 'restore');
  if (values.help) return 'help';
  if (values.from === undefined) throw wrong('--from DIR is missing: the backup.', 'restore');
  return {
    from: path.resolve(root, values.from),
    to: readTarget(values.to),
    data: path.resolve(root, setting(values.data, env['VEDETTE_DATA'], 'data')),
    recoveryKey: env['VEDETTE_RECOVERY_KEY'] || null,
  };
}

/**
 * With its zone: a wall clock alone means two instants once a year.
 * @param {string | undefined} text
 */
function readTarget(text) {
  if (text === undefined) return 'backup';
  if (text === 'latest') return 'latest';
  const isWhole = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const instant = new Date(text);
  if (isWhole && !Number.isNaN(instant.getTime())) return instant;
  throw wrong(`"${text}" is no instant with its zone, such as 2026-11-26T12:00:00Z.`, 'restore');
}

/** @param {string} text */
export function readKeep(text) {
  const keep = Number(text);
  if (/^\d{1,5}$/.test(text) && keep >= 1 && keep <= mostKept) return keep;
  throw wrong(`"${text}" is no number of backups to keep (1 to ${mostKept}).`, 'backup');
}

/**
 * @template T
 * @param {() => T} read
 * @param {string} command
 */
function parse(read, command) {
  try {
    return read();
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error), command);
  }
}

/**
 * @param {string} message
 * @param {string} command
 */
function wrong(message, command) {
  return new LaunchError('usage', message, { hint: `See npm run ${command} -- --help.`, exitCode: 2 });
}
