// Options of `npm start`: arguments first, then environment, then defaults.

import net from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { LaunchError } from '../core/launch-error.js';
import { readKeep, readPlace, usualKeep } from './backup-options.js';
import { readNodeAddress } from './node-address.js';
import { isOn, setting } from './setting.js';

/**
 * @typedef {object} LaunchOptions
 * @property {number} port 0 lets the system choose
 * @property {string} host address to listen on; empty means every address
 * @property {number | null} rtspPort for native clients; 0 lets the system choose, null serves none
 * @property {string} data absolute path of the data folder
 * @property {boolean} demo
 * @property {number} demoHours of recordings that the demo begins with
 * @property {boolean} http plain HTTP is accepted from trusted proxies
 * @property {boolean} hsts browsers are told to come back by HTTPS alone
 * @property {string[]} trustedProxies addresses or CIDR ranges
 * @property {string | null} tlsCert
 * @property {string | null} tlsKey
 * @property {string | null} databaseUrl
 * @property {{ to: string, everyMs: number, keep: number } | null} backup null: none is taken by itself
 * @property {boolean} upgradeBackup the database is backed up before it is brought up to date
 * @property {import('./node-address.js').NodeAddress | null} nodeAddress for lines of other servers; null takes none
 * @property {string | null} consoleFolder a console built elsewhere; nothing is built then
 * @property {string} logLevel
 */

export const defaultPort = 8800;
export const defaultRtspPort = 8554;

export const usage = `Usage: npm start -- [options]

  --port N               port to listen on (0 = any free one)       VEDETTE_PORT, default ${defaultPort}
  --host ADDRESS         address to listen on                       VEDETTE_HOST, default every address
  --rtsp-port N          port for native RTSP clients, or off       VEDETTE_RTSP_PORT, default ${defaultRtspPort}
  --data DIR             data folder                                VEDETTE_DATA, default ./data
  --no-demo              start empty, without the demo site         VEDETTE_NO_DEMO=1
  --demo-hours N         hours recorded before the demo begins      VEDETTE_DEMO_HOURS, default 6
  --tls-cert FILE        own certificate chain (PEM)                VEDETTE_TLS_CERT
  --tls-key FILE         its private key (PEM)                      VEDETTE_TLS_KEY
  --http                 accept plain HTTP from trusted proxies     VEDETTE_HTTP=1
  --trusted-proxies LIST their addresses or ranges, comma separated VEDETTE_TRUSTED_PROXIES
  --hsts                 browsers come back by HTTPS alone          VEDETTE_HSTS=1
  --backup-to PLACE      takes backups there: folder, or s3://…     VEDETTE_BACKUP_TO
  --backup-hours N       hours from one to the next                 VEDETTE_BACKUP_HOURS, default 24
  --backup-keep N        as many backups stay there                 VEDETTE_BACKUP_KEEP, default 7
  --no-upgrade-backup    no backup before an upgrade of the database VEDETTE_NO_UPGRADE_BACKUP=1
  --node-address HOST:PORT takes lines of servers on one database   VEDETTE_NODE_ADDRESS
  --log-level LEVEL      trace, debug, info, warn or error          VEDETTE_LOG_LEVEL, default info
  --help                 this text

  DATABASE_URL           a PostgreSQL 15+ of your own instead of the embedded one; several servers with commas
  VEDETTE_IMPORT         a module that server, site and gateway load first, such as OpenTelemetry`;

/** Options that every command about an installation takes. */
const definition = /** @type {const} */ ({
  port: { type: 'string' },
  host: { type: 'string' },
  'rtsp-port': { type: 'string' },
  data: { type: 'string' },
  demo: { type: 'boolean' },
  'no-demo': { type: 'boolean' },
  'demo-hours': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  http: { type: 'boolean' },
  hsts: { type: 'boolean' },
  'trusted-proxies': { type: 'string' },
  'backup-to': { type: 'string' },
  'backup-hours': { type: 'string' },
  'backup-keep': { type: 'string' },
  'no-upgrade-backup': { type: 'boolean' },
  'node-address': { type: 'string' },
  'log-level': { type: 'string' },
  help: { type: 'boolean' },
});

/**
 * @param {string[]} args
 * @param {Record<string, string | undefined>} env
 * @param {string} root folder against which the default data folder is resolved
 * @returns {LaunchOptions | 'help'}
 */
export function readOptions(args, env, root) {
  const values = parseArguments(args, {}, 'npm start');
  return values.help ? 'help' : launchOptions(values, env, root);
}

/**
 * @param {Partial<ReturnType<typeof parseArguments<{}>>>} values
 * @param {Record<string, string | undefined>} env
 * @param {string} root
 * @returns {LaunchOptions}
 */
export function launchOptions(values, env, root) {
  const certificate = readCertificate(
    setting(values['tls-cert'], env['VEDETTE_TLS_CERT'], null),
    setting(values['tls-key'], env['VEDETTE_TLS_KEY'], null),
    root,
  );
  const http = isOn(values.http, env['VEDETTE_HTTP']);
  const trustedProxies = readRanges(setting(values['trusted-proxies'], env['VEDETTE_TRUSTED_PROXIES'], ''));
  if (http && trustedProxies.length === 0)
    throw wrong('--http needs --trusted-proxies: plain HTTP is taken from them only.');
  const port = readPort(setting(values.port, env['VEDETTE_PORT'], String(defaultPort)));
  // Who takes any free port for the one takes it for the other.
  const usualRtspPort = String(port === 0 ? 0 : defaultRtspPort);
  const rtspPort = setting(values['rtsp-port'], env['VEDETTE_RTSP_PORT'], usualRtspPort);
  return {
    port,
    rtspPort: rtspPort === 'off' ? null : readPort(rtspPort),
    host: setting(values.host, env['VEDETTE_HOST'], ''),
    data: path.resolve(root, setting(values.data, env['VEDETTE_DATA'], 'data')),
    demo: !isOn(values['no-demo'], env['VEDETTE_NO_DEMO']),
    demoHours: readDemoHours(setting(values['demo-hours'], env['VEDETTE_DEMO_HOURS'], '6')),
    http,
    hsts: isOn(values.hsts, env['VEDETTE_HSTS']),
    trustedProxies,
    ...certificate,
    databaseUrl: env['DATABASE_URL'] || null,
    backup: readBackupPlan(
      setting(values['backup-to'], env['VEDETTE_BACKUP_TO'], ''),
      setting(values['backup-hours'], env['VEDETTE_BACKUP_HOURS'], '24'),
      { keep: setting(values['backup-keep'], env['VEDETTE_BACKUP_KEEP'], String(usualKeep)), root },
    ),
    upgradeBackup: !isOn(values['no-upgrade-backup'], env['VEDETTE_NO_UPGRADE_BACKUP']),
    nodeAddress: readNodeAddress(
      setting(values['node-address'], env['VEDETTE_NODE_ADDRESS'], ''),
      env['DATABASE_URL'] || null,
    ),
    consoleFolder: env['VEDETTE_CONSOLE'] ? path.resolve(root, env['VEDETTE_CONSOLE']) : null,
    logLevel: setting(values['log-level'], env['VEDETTE_LOG_LEVEL'], 'info'),
  };
}

/**
 * @param {string | null} tlsCert
 * @param {string | null} tlsKey
 * @param {string} root
 */
function readCertificate(tlsCert, tlsKey, root) {
  if ((tlsCert === null) !== (tlsKey === null)) throw wrong('--tls-cert and --tls-key belong together.');
  return { tlsCert: tlsCert && path.resolve(root, tlsCert), tlsKey: tlsKey && path.resolve(root, tlsKey) };
}

/**
 * @param {string} to
 * @param {string} hours
 * @param {{ keep: string, root: string }} more
 */
function readBackupPlan(to, hours, { keep, root }) {
  if (to === '') return null;
  if (!/^\d{1,4}$/.test(hours) || Number(hours) < 1) throw wrong(`"${hours}" is no number of hours (1 to 9999).`);
  return { to: readPlace(to, root), everyMs: Number(hours) * 3_600_000, keep: readKeep(keep) };
}

/** @param {string} text */
function readDemoHours(text) {
  // The virtual recorders hold a week; a day alone takes a core four minutes.
  if (!/^\d{1,2}(\.\d{1,2})?$/.test(text) || Number(text) > 24)
    throw wrong(`"${text}" is no number of hours (0 to 24).`);
  return Number(text);
}

/** @param {string} text */
function readRanges(text) {
  const ranges = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const strange = ranges.find((range) => !isRange(range));
  if (strange !== undefined) throw wrong(`"${strange}" is neither an address nor a range such as 10.0.0.0/8.`);
  return ranges;
}

/**
 * The options of `npm start` and those of one command.
 * @template {import('node:util').ParseArgsOptionsConfig} T
 * @param {string[]} args
 * @param {T} own
 * @param {string} command named in the refusal
 */
export function parseArguments(args, own, command) {
  try {
    return parseArgs({ args, options: { ...definition, ...own }, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error), command);
  }
}

/** @param {string} text */
function readPort(text) {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw wrong(`"${text}" is not a port (0 to 65535).`);
  return port;
}

/** @param {string} range */
function isRange(range) {
  const [address = '', bits, ...rest] = range.split('/');
  const family = net.isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/**
 * @param {string} message
 * @param {string} [command]
 */
function wrong(message, command = 'npm start') {
  return new LaunchError('usage', message, { hint: `See ${command} -- --help.`, exitCode: 2 });
}
