// Runs one installation from the lock on its folder to the graceful stop by a signal.

import { once } from 'node:events';
import path from 'node:path';
import { lockDataFolder, lockTouchMs } from '../data/data-folder.js';
import { pinnedNode, root } from '../bootstrap/install.js';
import { RemoteSiteInstallation } from './remote-site-installation.js';
import { Installation } from './installation.js';
import { describeLaunchError, LaunchError } from '../core/launch-error.js';
import { readOptions, usage } from '../options/options.js';
import { openLog } from '../process/log.js';
import { makeRunFolder } from '../data/run-folder.js';

/** @typedef {{ start: () => Promise<object>, end: () => Promise<void>, kill: () => void, isEnding: boolean }} Running */

/** A second signal this soon is the same Ctrl-C, passed on by npm as well. */
const sameSignalMs = 1_000;

/** The options of `npm start`, and of everything that starts a whole installation. */
const whole = { read: readOptions, usage };

/**
 * The whole of a command: options in, exit code out, errors told to people.
 * @template [Options=import('../options/options.js').LaunchOptions]
 * @param {string[]} args
 * @param {(options: Options) => Promise<number>} run
 * @param {{ read: (args: string[], env: Record<string, string | undefined>, root: string) => Options | 'help', usage: string, verb?: string }} [command]
 * @returns {Promise<number>}
 */
export async function runCommand(args, run, command = /** @type {any} */ (whole)) {
  // A terminal or a reader that went away must not take the recorder with it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const options = command.read(args, process.env, root);
    if (options !== 'help') return await run(options);
    process.stdout.write(`${command.usage}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${describeLaunchError(error, command.verb)}\n`);
    return error instanceof LaunchError ? error.exitCode : 1;
  } finally {
    process.stdin.destroy();
  }
}

/**
 * Resolves with the exit code once everything has ended.
 * @param {import('../options/options.js').LaunchOptions} options
 * @param {(installation: Installation) => () => void} [whileRunning] called once it is ready; what it answers is called at the end
 * @returns {Promise<number>}
 */
export function runInstallation(options, whileRunning) {
  return runLocked(options, (parts) => new Installation({ ...parts, options }), whileRunning);
}

/**
 * @param {import('../options/remote-site-options.js').RemoteSiteOptions} options
 * @returns {Promise<number>}
 */
export function runRemoteSite(options) {
  return runLocked(options, (parts) => new RemoteSiteInstallation({ ...parts, options }));
}

/**
 * @template {Running} T
 * @param {{ data: string }} options
 * @param {(parts: Omit<import('./installation.js').InstallationDeps, 'options'>) => T} make
 * @param {(installation: T) => () => void} [whileRunning]
 * @returns {Promise<number>}
 */
async function runLocked(options, make, whileRunning) {
  const lock = lockDataFolder(options.data);
  const touching = setInterval(() => touchLock(lock), lockTouchMs);
  try {
    const log = openLog({
      folder: path.join(options.data, 'logs'),
      stream: process.stderr,
      everyLine: !process.stderr.isTTY,
    });
    const runFolder = makeRunFolder(options.data);
    const installation = make({ root, node: pinnedNode(), env: process.env, runFolder, log });
    const ended = endOnSignal(installation, log);
    try {
      const started = await installation.start();
      process.stdout.write(`${JSON.stringify(started)}\n`);
      const finish = whileRunning?.(installation);
      await ended;
      finish?.();
    } catch (error) {
      if (!installation.isEnding) throw error;
    } finally {
      await installation.end();
    }
    return 0;
  } finally {
    clearInterval(touching);
    lock.release();
  }
}

/**
 * @param {Running} installation
 * @param {{ say: (text: string) => void }} log
 * @returns {Promise<void>} resolves when somebody asked for the end
 */
function endOnSignal(installation, log) {
  /** @type {number | null} */
  let first = null;
  const stopping = new AbortController();
  const stop = () => {
    const now = performance.now();
    if (first === null) {
      first = now;
      log.say('stopping …');
      stopping.abort();
      void installation.end();
    } else if (now - first > sameSignalMs) installation.kill();
  };
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop);
  if (process.env['VEDETTE_PARENT_PIPE'] === String(process.ppid)) process.stdin.on('end', stop).resume();
  return once(stopping.signal, 'abort').then(() => undefined);
}

/** @param {{ touch: () => void }} lock */
function touchLock(lock) {
  try {
    lock.touch();
  } catch (error) {
    // The disk is gone or full; recording and its alarms deal with that, the lock must not end them.
    process.stderr.write(`vedette: the lock file could not be touched (${String(error)})\n`);
  }
}
