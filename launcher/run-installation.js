// Runs one installation from the lock on its folder to the orderly end that a signal asks for.

import { once } from 'node:events';
import path from 'node:path';
import { enterDataFolder, lockTouchMs } from './data-folder.js';
import { pinnedNode, root } from './install.js';
import { Installation } from './installation.js';
import { describeLaunchError, LaunchError } from './launch-error.js';
import { readOptions, usage } from './options.js';
import { openLog } from './process/log.js';
import { makeRunFolder } from './run-folder.js';

/** A second signal this soon is the same Ctrl-C, passed on by npm as well. */
const sameSignalMs = 1_000;

/**
 * The whole of a command: options in, exit code out, errors told to people.
 * @param {string[]} args
 * @param {(options: import('./options.js').LaunchOptions) => Promise<number>} run
 * @returns {Promise<number>}
 */
export async function runCommand(args, run) {
  // A terminal or a reader that went away must not take the recorder with it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    const options = readOptions(args, process.env, root);
    if (options !== 'help') return await run(options);
    process.stdout.write(`${usage}\n`);
    return 0;
  } catch (error) {
    process.stderr.write(`${describeLaunchError(error)}\n`);
    return error instanceof LaunchError ? error.exitCode : 1;
  } finally {
    process.stdin.destroy();
  }
}

/**
 * Resolves with the exit code once everything has ended.
 * @param {import('./options.js').LaunchOptions} options
 * @param {(installation: Installation) => () => void} [whileRunning] called once it is ready; what it answers is called at the end
 * @returns {Promise<number>}
 */
export async function runInstallation(options, whileRunning) {
  const lock = enterDataFolder(options.data);
  const touching = setInterval(() => touchLock(lock), lockTouchMs);
  try {
    const log = openLog({
      folder: path.join(options.data, 'logs'),
      stream: process.stderr,
      everyLine: !process.stderr.isTTY,
    });
    const runFolder = makeRunFolder(options.data);
    const installation = new Installation({ root, node: pinnedNode(), env: process.env, options, runFolder, log });
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
 * @param {Installation} installation
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
