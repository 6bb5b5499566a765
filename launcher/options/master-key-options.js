// Options of `npm run master-key`.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { LaunchError } from '../core/launch-error.js';
import { setting } from './setting.js';

export const masterKeyUsage = `Usage: npm run master-key -- change [options]

  change                 seals every stored secret with a new master key, and goes on with a change that was cut off
  --leave-unreadable     also where a stored secret cannot be read with the old key; it stays as it is
  --data DIR             data folder of the installation or of the site         VEDETTE_DATA, default ./data
  --help                 this text

  VEDETTE_NEW_KEY        the new key, 64 hexadecimal digits; without it, a random one is made
  VEDETTE_KEY            the old key, where it is not in the data folder; then the new one must be given too
  DATABASE_URL           the database, where it is not the embedded one

  Vedette must be stopped, and so must be every other server on its database.`;

/** @typedef {{ data: string, databaseUrl: string | null, leavesUnreadable: boolean, oldKey: string | null, newKey: string | null }} MasterKeyOptions */

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @param {string} root folder against which paths are resolved
 * @returns {MasterKeyOptions | 'help'}
 */
export function readMasterKeyOptions(args, env, root) {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  if (positionals.length !== 1 || positionals[0] !== 'change') throw wrong('say what to do: change.');
  const [oldKey, newKey] = [env['VEDETTE_KEY'] || null, env['VEDETTE_NEW_KEY'] || null];
  if (oldKey !== null && newKey === null)
    throw wrong('the old key is given by VEDETTE_KEY: give the new one by VEDETTE_NEW_KEY.');
  return {
    data: path.resolve(root, setting(values.data, env['VEDETTE_DATA'], 'data')),
    databaseUrl: env['DATABASE_URL'] || null,
    leavesUnreadable: values['leave-unreadable'] ?? false,
    oldKey,
    newKey,
  };
}

/** @param {string[]} args */
function parse(args) {
  const options = /** @type {const} */ ({
    'leave-unreadable': { type: 'boolean' },
    data: { type: 'string' },
    help: { type: 'boolean' },
  });
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: true });
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} message */
function wrong(message) {
  return new LaunchError('usage', message, { hint: 'See npm run master-key -- --help.', exitCode: 2 });
}
