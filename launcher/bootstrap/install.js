// Installs node_modules as package-lock.json says, with Node's own modules alone; runs before anything is installed.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { LaunchError, systemCode } from '../core/launch-error.js';
import { allProcesses, identify, isStillRunning, programOf } from '../process/identity.js';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.vedette-install');
const lockFolder = path.join(root, '.vedette');
const lowestHostNode = 20;
const lowestNode = 24;

/** Installs when needed; cheap (one hash) when nothing changed. */
export function ensureInstalled() {
  if (Number(process.versions.node.split('.')[0]) < lowestHostNode) {
    throw new LaunchError('nodeTooOld', `Node.js ${process.versions.node} is too old.`, {
      hint: 'Install Node.js 20 or newer.',
    });
  }
  const wanted = lockHash();
  if (readStamp() === wanted) return;
  const release = takeInstallLock();
  try {
    if (readStamp() === wanted) return;
    if (!matchesLock()) install();
    fs.writeFileSync(stampFile, `${wanted}\n`);
  } finally {
    release();
  }
}

/** @returns {string} path of the pinned Node, else the running one when it is new enough */
export function pinnedNode() {
  const pinned = path.join(modules, '.bin', 'node');
  if (fs.existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= lowestNode) return process.execPath;
  throw new LaunchError(
    'nodeMissing',
    `no Node.js ${lowestNode} comes from npm for ${process.platform} ${process.arch}.`,
    {
      hint: `Start with a Node.js ${lowestNode} of your own.`,
    },
  );
}

function install() {
  const busy = runningFromHere();
  if (busy.length > 0) {
    throw new LaunchError(
      'cloneInUse',
      `packages changed, but processes still run from this clone (${busy.join(', ')}).`,
      {
        hint: 'Stop them first.',
      },
    );
  }
  process.stderr.write('vedette: installing packages (only when package-lock.json changed) …\n');
  const started = Date.now();
  const { command, args } = npmCommand();
  const result = spawnSync(
    command,
    [...args, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: root,
      env: { ...process.env, PATH: hostPath(), NODE_ENV: 'development' },
      stdio: ['ignore', 2, 2],
    },
  );
  if (result.error)
    throw new LaunchError('npmMissing', `npm could not be started (${systemCode(result.error)}).`, {
      hint: 'Install npm.',
    });
  if (result.status !== 0) {
    throw new LaunchError('installFailed', `npm ci ended with code ${result.status ?? result.signal}.`, {
      hint: 'Its message stands above; the usual causes are no network and no room on the disk.',
    });
  }
  process.stderr.write(`vedette: packages installed in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
}

/** npm replaces the pinned Node while it runs, so it must not run on it. */
function hostPath() {
  const bin = path.join(modules, '.bin');
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((part) => path.resolve(part) !== bin)
    .join(path.delimiter);
}

/** npm as it was started, or the one on PATH; never on the pinned Node. */
export function npmCommand() {
  const script = process.env['npm_execpath'];
  const node = hostPath()
    .split(path.delimiter)
    .map((part) => path.join(part, 'node'))
    .find((file) => fs.existsSync(file));
  if (script?.endsWith('.js') && node && fs.existsSync(script)) return { command: node, args: [script] };
  return { command: 'npm', args: [] };
}

function lockHash() {
  return createHash('sha256')
    .update(fs.readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
}

function readStamp() {
  return readIfThere(stampFile)?.trim() ?? null;
}

/**
 * True when npm already put exactly the locked versions there, for instance after `npm ci` or `npm install` by hand:
 * then nothing is torn down and installed again.
 */
function matchesLock() {
  const wantedText = readIfThere(path.join(root, 'package-lock.json'));
  const presentText = readIfThere(path.join(modules, '.package-lock.json'));
  if (wantedText === null || presentText === null) return false;
  /** @type {Record<string, { version?: string, integrity?: string, optional?: boolean, link?: boolean }>} */
  const wanted = JSON.parse(wantedText).packages;
  /** @type {typeof wanted} */
  const present = JSON.parse(presentText).packages;
  for (const [name, entry] of Object.entries(wanted)) {
    if (!name.includes('node_modules/')) continue;
    const found = present[name];
    if (!found) {
      if (entry.optional) continue;
      return false;
    }
    if (found.version !== entry.version || found.integrity !== entry.integrity) return false;
    if (!fs.existsSync(path.join(root, name, 'package.json'))) return false;
  }
  return Object.keys(present).every((name) => name in wanted);
}

/** @returns {number[]} other processes whose program lies in this clone's node_modules */
function runningFromHere() {
  const prefix = modules + path.sep;
  return allProcesses().filter(
    (pid) => pid !== process.pid && pid !== process.ppid && programOf(pid)?.startsWith(prefix),
  );
}

/** Two starts of one fresh clone at the same time: the second waits for the first. */
function takeInstallLock() {
  const file = path.join(lockFolder, 'install.lock');
  fs.mkdirSync(lockFolder, { recursive: true });
  const mine = JSON.stringify(identify(process.pid));
  for (;;) {
    try {
      fs.writeFileSync(file, mine, { flag: 'wx' });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw cannotWrite(error);
    }
    const holder = parseHolder(readIfThere(file));
    if (holder === null || !isStillRunning(holder)) fs.rmSync(file, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
  }
}

/**
 * @param {string | null} text
 * @returns {import('../process/identity.js').ProcessIdentity | null}
 */
function parseHolder(text) {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null; // cut off while it was written: nobody holds it
  }
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** @param {unknown} error */
function cannotWrite(error) {
  return new LaunchError('cloneReadOnly', `${root} cannot be written (${systemCode(error)}).`, {
    hint: 'Run npm ci there once as its owner.',
    cause: error,
  });
}
