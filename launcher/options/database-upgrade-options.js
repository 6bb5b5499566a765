// Options of `npm run database:upgrade`.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { LaunchError } from '../core/launch-error.js';
import { setting } from './setting.js';

/** Also where several servers are named, which is no address for URL. */
const withPassword = /^\w+:\/\/[^@/?:]*:[^@/?]+@/;

export const databaseUpgradeUsage = `Usage: npm run database:upgrade -- [--to URL] [options]

  --to URL               address of the new, empty database; with a password in it   VEDETTE_DATABASE_TO
                         it is refused here: set the variable
  --dry-run              says what would be done and what is missing, and changes nothing
  --prepare              makes the old database ready (wal_level = logical), which holds after its next start
  --counts-only          compares numbers of rows, without a checksum of their contents: a shorter pause
  --back                 takes an upgrade back that was cut off or is not wanted: the old database takes changes again
  --data DIR             data folder of the installation                              VEDETTE_DATA, default ./data
  --help                 this text

  DATABASE_URL           the old database; without it, the embedded one of the data folder, which must run`;

/**
 * @typedef {object} DatabaseUpgradeOptions
 * @property {'upgrade' | 'dry-run' | 'prepare' | 'back'} kind
 * @property {string | null} from address of the old database; null: the embedded one
 * @property {string} to address of the new one; empty where none is needed
 * @property {boolean} countsOnly
 * @property {string} data
 */

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @param {string} root folder against which paths are resolved
 * @returns {DatabaseUpgradeOptions | 'help'}
 */
export function readDatabaseUpgradeOptions(args, env, root) {
  const values = parse(args);
  if (values.help) return 'help';
  const modes = /** @type {const} */ (['dry-run', 'prepare', 'back']).filter((name) => values[name]);
  if (modes.length > 1) throw wrong('--dry-run, --prepare and --back exclude each other.');
  const [kind = /** @type {const} */ ('upgrade')] = modes;
  const to = setting(values.to, env['VEDETTE_DATABASE_TO'], '');
  if (to === '' && kind !== 'prepare') throw wrong('--to is missing: the address of the new database.');
  if (values.to !== undefined && withPassword.test(values.to))
    throw wrong('a password on the command line is readable for others: set VEDETTE_DATABASE_TO in place of --to.');
  const data = path.resolve(root, setting(values.data, env['VEDETTE_DATA'], 'data'));
  return { kind, from: env['DATABASE_URL'] || null, to, countsOnly: values['counts-only'] ?? false, data };
}

/** @param {string[]} args */
function parse(args) {
  const options = /** @type {const} */ ({
    to: { type: 'string' },
    'dry-run': { type: 'boolean' },
    prepare: { type: 'boolean' },
    'counts-only': { type: 'boolean' },
    back: { type: 'boolean' },
    data: { type: 'string' },
    help: { type: 'boolean' },
  });
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} message */
function wrong(message) {
  return new LaunchError('usage', message, { hint: 'See npm run database:upgrade -- --help.', exitCode: 2 });
}
