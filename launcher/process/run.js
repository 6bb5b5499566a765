// Runs one command to its end and returns its output.

import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * @typedef {object} Outcome
 * @property {number} code 127 when the command does not exist
 * @property {string} stdout
 * @property {string} stderr
 * @property {number} ms
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env?: Record<string, string | undefined>, uid?: number, gid?: number }} options
 * @returns {Promise<Outcome>}
 */
export async function run(command, args, options) {
  const begun = performance.now();
  const child = spawn(command, args, {
    ...options,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  /** @type {Buffer[]} */
  const out = [];
  /** @type {Buffer[]} */
  const err = [];
  child.stdout.on('data', (chunk) => out.push(chunk));
  child.stderr.on('data', (chunk) => err.push(chunk));
  const code = await once(child, 'close').then(
    ([status]) => status ?? 1,
    (error) => {
      err.push(Buffer.from(error.message));
      return 127;
    },
  );
  const text = (/** @type {Buffer[]} */ parts) => Buffer.concat(parts).toString('utf8');
  return { code, stdout: text(out), stderr: text(err), ms: performance.now() - begun };
}
