// Embedded PostgreSQL: creates its folder once, runs it on a unix socket, returns its address.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { readLines } from '../process/lines.js';
import { SupervisedProcess } from '../process/supervised-process.js';
import { postgresCommand } from './command.js';
import { awaitDatabase } from './database.js';
import { clearPostmaster, saysReady } from './postmaster-pid.js';

const user = 'vedette';
const database = 'vedette';

/**
 * Small machines first: a box with 16 cameras writes some hundred rows a minute. What a storm of alarms writes needs room
 * in the log: each checkpoint makes every page be written whole once more.
 */
export const clusterSettings = {
  shared_buffers: '64MB',
  wal_buffers: '8MB',
  max_wal_size: '1GB',
  min_wal_size: '32MB',
  checkpoint_timeout: '15min',
  io_method: 'sync',
  huge_pages: 'off',
  jit: 'off',
  // What a refused row or a broken statement held is personal: names, addresses.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
};
/** Of every cluster of ours, whatever runs it. */
export const settings = {
  ...clusterSettings,
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * @typedef {object} ClusterOptions
 * @property {import('./binaries.js').PostgresPrograms} programs
 * @property {string} clusterFolder
 * @property {string} runFolder
 * @property {(line: string) => void} log
 * @property {(pid: number | null) => void} onPid
 * @property {AbortSignal} stopping
 * @property {boolean} [archives] copies its write-ahead log to `spoolOf(clusterFolder)`, for the backups, while somebody takes it from there
 */

/**
 * Segments of the write-ahead log that the backups have not taken yet, beside the cluster.
 * @param {string} clusterFolder
 */
export function spoolOf(clusterFolder) {
  return `${clusterFolder}-wal`;
}

/**
 * @param {ClusterOptions} options
 * @returns {{ url: string, socketFolder: string, start: () => Promise<unknown>, process: SupervisedProcess }}
 */
export function openCluster(options) {
  const { programs, clusterFolder } = options;
  const { socketFolder, url } = clusterAddress(options);
  const chosen = { ...settings, unix_socket_directories: socketFolder, ...(options.archives && archiving(options)) };
  const supervised = new SupervisedProcess({
    name: 'postgres',
    log: options.log,
    onPid: options.onPid,
    endSignal: 'SIGINT',
    graceMs: 3_000,
    readyMs: 300_000, // it may have a long log to replay after a power cut
    firstTries: 40,
    // Backends of a killed postmaster hold the shared memory for some moments: retry often.
    backOff: { firstMs: 250, factor: 1, longestMs: 250 },
    beforeStart: () => clearPostmaster(clusterFolder, options.log),
    probe: (signal) => awaitDatabase({ socketFolder, user, database, isUp: () => saysReady(clusterFolder), signal }),
    describe: () => ({
      ...postgresCommand(programs, 'postgres', serverArguments(clusterFolder, chosen)),
      cwd: '/',
    }),
  });
  const start = async () => {
    await createCluster(options);
    return supervised.start();
  };
  return { url, socketFolder, start, process: supervised };
}

/**
 * Where the cluster answers, or will.
 * @param {Pick<ClusterOptions, 'programs' | 'runFolder'>} place
 */
export function clusterAddress(place) {
  const socketFolder = ownSocketFolder(place);
  return { socketFolder, url: `postgres:///${database}?host=${encodeURIComponent(socketFolder)}&user=${user}` };
}

/**
 * @param {string} clusterFolder
 * @param {Record<string, string>} chosen
 */
export function serverArguments(clusterFolder, chosen) {
  return ['-D', clusterFolder, ...Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/**
 * A segment counts as archived once it is synced under its name. A minute of changes is lost at most.
 * @param {Pick<ClusterOptions, 'programs' | 'clusterFolder'>} options
 */
function archiving({ programs, clusterFolder }) {
  const spool = spoolOf(clusterFolder);
  makePostgresFolder(spool, programs);
  const at = shellPath(spool);
  const copy = `cp "%p" ${at}/%f.part && sync ${at}/%f.part && mv ${at}/%f.part ${at}/%f`;
  // Whether it archives at all is fixed at its start; backups may begin later.
  const command = `[ ! -e ${at}/${takenMark} ] || { ${copy}; }`;
  return { archive_mode: 'on', archive_timeout: '60', archive_command: command };
}

/** In the spool: somebody takes the segments. Without it they are not kept. */
const takenMark = 'taken';

/**
 * @param {string} spool
 * @param {boolean} isTaken
 */
export function spoolIsTaken(spool, isTaken) {
  const mark = path.join(spool, takenMark);
  if (isTaken) fs.writeFileSync(mark, '');
  else fs.rmSync(mark, { force: true });
}

/**
 * For the commands in PostgreSQL's settings: the shell reads quotes, PostgreSQL percent signs.
 * @param {string} file
 */
export function shellPath(file) {
  return `'${file.replaceAll("'", "'\\''").replaceAll('%', '%%')}'`;
}

/**
 * A private folder that PostgreSQL writes to.
 * @param {string} folder
 * @param {import('./binaries.js').PostgresPrograms} programs
 */
export function makePostgresFolder(folder, programs) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (programs.owner === null) return;
  fs.chownSync(folder, programs.owner, programs.owner);
  openWay(path.dirname(folder));
}

/** @param {ClusterOptions} options */
async function createCluster({ programs, clusterFolder, log, stopping }) {
  if (fs.existsSync(path.join(clusterFolder, 'PG_VERSION'))) return checkVersion(clusterFolder);
  // Made aside and renamed: an initdb that was killed half-way leaves nothing that looks like a database.
  const aside = `${clusterFolder}.new`;
  fs.rmSync(aside, { recursive: true, force: true });
  makePostgresFolder(aside, programs);
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--encoding=UTF8'];
  const { command, args, env, ...place } = postgresCommand(programs, 'initdb', [
    '-D',
    aside,
    '-U',
    user,
    '--auth=trust',
    ...locale,
  ]);
  const child = spawn(command, args, { ...place, env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], signal: stopping });
  /** @type {string[]} */
  const words = [];
  readLines(child.stdout, () => undefined);
  readLines(child.stderr, (line) => words.push(line));
  const [code] = await once(child, 'close');
  if (code !== 0) {
    for (const line of words) log(line);
    throw new LaunchError('databaseNotMade', `initdb ended with code ${code}: ${words.at(-1) ?? ''}`);
  }
  fs.renameSync(aside, clusterFolder);
}

/** @param {string} clusterFolder */
function checkVersion(clusterFolder) {
  const found = fs.readFileSync(path.join(clusterFolder, 'PG_VERSION'), 'utf8').trim();
  if (found === '18') return;
  throw new LaunchError(
    'databaseVersion',
    `${clusterFolder} was made by PostgreSQL ${found}; this release brings 18.`,
    {
      hint: `Start the release before, and move the database with npm run database:upgrade (docs/operations/database-upgrade.md). Nothing was changed.`,
    },
  );
}

/**
 * As nobody PostgreSQL cannot write into the private run folder; it gets one of its own, which root may enter.
 * @param {Pick<ClusterOptions, 'programs' | 'runFolder'>} place
 */
function ownSocketFolder({ programs, runFolder }) {
  if (programs.owner === null) return runFolder;
  const digest = createHash('sha256').update(runFolder).digest('hex').slice(0, 16);
  const folder = `/tmp/vedette-pg-${digest}`;
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || ![0, programs.owner].includes(found.uid)) {
    throw new LaunchError('runFolderForeign', `${folder} belongs to someone else.`, { hint: 'Remove it.' });
  }
  fs.chownSync(folder, programs.owner, programs.owner);
  return folder;
}

/**
 * Lets another user walk through the data folder to its cluster; what is private in there has its own mode.
 * @param {string} dataFolder
 */
function openWay(dataFolder) {
  fs.chmodSync(dataFolder, 0o711);
  for (let folder = dataFolder; folder !== path.dirname(folder); folder = path.dirname(folder)) {
    if ((fs.statSync(folder).mode & 0o001) !== 0) continue;
    throw new LaunchError('postgresBarred', `PostgreSQL does not run as root, and nobody else may enter ${folder}.`, {
      hint: 'Run Vedette as an ordinary user, allow user namespaces, or choose another folder with --data DIR.',
    });
  }
}
