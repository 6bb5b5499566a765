// Options of `npm run backup` and `npm run restore`.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { isS3Address, readS3Address } from '../backup-store/s3-address.js';
import { LaunchError } from '../core/launch-error.js';
import { setting } from './setting.js';

export const usualKeep = 7;
const mostKept = 10_000;

export const backupUsage = `Usage: npm run backup -- --to PLACE [options]

  --to PLACE             a folder, not in the data folder, or a bucket:  VEDETTE_BACKUP_TO
                         s3://BUCKET/PREFIX?endpoint=https://s3.example.com&region=eu-central-1
  --save-keys            tries the bucket with its keys and keeps them, sealed, for npm start; takes no backup
  --check                restores the newest backup there into the data folder's own backup-check,
                         looks into its database, and removes it again: proves that it can be restored
  --keep N               as many backups stay there, default ${usualKeep}          VEDETTE_BACKUP_KEEP
  --data DIR             data folder of the installation                 VEDETTE_DATA, default ./data
  --show-recovery-key    prints the key that opens the backups, and nothing else
  --help                 this text

  VEDETTE_BACKUP_ACCESS_KEY, VEDETTE_BACKUP_SECRET_KEY   keys of the bucket; without them, the saved ones

  The installation may run meanwhile. Recordings and keys are never in a backup.`;

export const restoreUsage = `Usage: npm run restore -- --from PLACE [options]

  --from PLACE           a backup, or the folder or bucket of the backups for the newest
  --to TIME              the database as it was at that instant, such as 2026-11-26T12:00:00Z, or latest;
                         without it, as the backup holds it
  --data DIR             data folder to make, empty or absent            VEDETTE_DATA, default ./data
  --help                 this text

  VEDETTE_RECOVERY_KEY   the recovery key; without it, it is asked for
  VEDETTE_BACKUP_ACCESS_KEY, VEDETTE_BACKUP_SECRET_KEY   keys of the bucket; likewise`;

/**
 * @typedef {{ kind: 'show', data: string } | { kind: 'check', data: string, to: string } | { kind: 'keys', data: string, to: string } | { kind: 'backup', data: string, to: string, keep: number, databaseUrl: string | null }} BackupOptions
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
    'save-keys': { type: 'boolean' },
    data: { type: 'string' },
    'show-recovery-key': { type: 'boolean' },
    help: { type: 'boolean' },
  });
  const values = parse(() => parseArgs({ args, options: definition, strict: true }).values, 'backup');
  if (values.help) return 'help';
  const data = path.resolve(root, setting(values.data, env['VEDETTE_DATA'], 'data'));
  if (values['show-recovery-key']) return { kind: 'show', data };
  const given = setting(values.to, env['VEDETTE_BACKUP_TO'], '');
  if (given === '') throw wrong('--to is missing: the folder or bucket of the backups.', 'backup');
  const to = readPlace(given, root);
  if (values['save-keys'] && !isS3Address(to)) throw wrong('--save-keys needs a bucket: --to s3://…', 'backup');
  if (values['save-keys']) return { kind: 'keys', data, to };
  if (values.check) return { kind: 'check', data, to };
  const keep = readKeep(setting(values.keep, env['VEDETTE_BACKUP_KEEP'], String(usualKeep)));
  return { kind: 'backup', data, to, keep, databaseUrl: env['DATABASE_URL'] || null };
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
  if (values.from === undefined) throw wrong('--from is missing: the backup.', 'restore');
  return {
    from: readPlace(values.from, root),
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

/**
 * @param {string} text
 * @param {string} root
 * @returns {string} absolute path of a folder, or address of a bucket
 */
export function readPlace(text, root) {
  if (!isS3Address(text)) return path.resolve(root, text);
  readS3Address(text);
  return text;
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
