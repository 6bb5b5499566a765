// Options of `npm run site`: a remote site that dials its server.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { LaunchError } from '../core/launch-error.js';
import { setting } from './setting.js';

/**
 * @typedef {object} RemoteSiteOptions
 * @property {string | null} server `https://host:port`; null for the one it is enrolled at
 * @property {string} serial
 * @property {string} code one-time registration code; empty once it is enrolled
 * @property {string} authority SHA-256 of the server's own authority; empty for those that the system trusts
 * @property {string} data absolute path of the data folder
 * @property {string} logLevel
 */

export const remoteSiteUsage = `Usage: npm run site -- --server URL --serial SERIAL --code CODE [options]

  --server URL           https address of the server                VEDETTE_SERVER
  --serial SERIAL        of this site, as System, Sites shows it    VEDETTE_SITE_SERIAL
  --code CODE            its one-time registration code             VEDETTE_SITE_CODE
  --authority SHA256     fingerprint of the server's own authority  VEDETTE_SITE_AUTHORITY
  --data DIR             data folder                                VEDETTE_DATA, default ./data-site
  --log-level LEVEL      trace, debug, info, warn or error          VEDETTE_LOG_LEVEL, default info
  --help                 this text

  Once it is enrolled, npm run site alone starts it again.`;

const definition = /** @type {const} */ ({
  server: { type: 'string' },
  serial: { type: 'string' },
  code: { type: 'string' },
  authority: { type: 'string' },
  data: { type: 'string' },
  'log-level': { type: 'string' },
  help: { type: 'boolean' },
});

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @param {string} root folder against which the default data folder is resolved
 * @returns {RemoteSiteOptions | 'help'}
 */
export function readRemoteSiteOptions(args, env, root) {
  const values = parse(args);
  if (values.help) return 'help';
  const server = setting(values.server, env['VEDETTE_SERVER'], '');
  const serial = setting(values.serial, env['VEDETTE_SITE_SERIAL'], '').toUpperCase();
  const authority = setting(values.authority, env['VEDETTE_SITE_AUTHORITY'], '').replaceAll(':', '').toLowerCase();
  if ((server === '') !== (serial === '')) throw wrong('--server and --serial belong together.');
  if (serial !== '' && !/^[A-Z0-9]{4,32}$/.test(serial)) throw wrong(`"${serial}" is not the serial of a site.`);
  if (authority !== '' && !/^[0-9a-f]{64}$/.test(authority))
    throw wrong('--authority is a SHA-256 fingerprint: 64 hexadecimal digits.');
  return {
    server: server === '' ? null : originOf(server),
    serial,
    code: setting(values.code, env['VEDETTE_SITE_CODE'], ''),
    authority,
    data: path.resolve(root, setting(values.data, env['VEDETTE_DATA'], 'data-site')),
    logLevel: setting(values['log-level'], env['VEDETTE_LOG_LEVEL'], 'info'),
  };
}

/** @param {string} text */
function originOf(text) {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'https:' || url.username !== '')
    throw wrong(`"${text}" is not an address such as https://cameras.example:8800; a site speaks TLS alone.`);
  return url.origin;
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({ args, options: definition, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

/** @param {string} message */
function wrong(message) {
  return new LaunchError('usage', message, { hint: 'See npm run site -- --help.', exitCode: 2 });
}
