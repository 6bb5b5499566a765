// Packs and unpacks folders with the system's tar.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { LaunchError } from '../core/launch-error.js';

/** A file that grows, shrinks or vanishes while it is read: a log or a spool. */
const changedWhileRead = 1;

/**
 * @param {string} folder
 * @param {readonly string[]} excluded paths below it, without a leading `./`
 * @returns {{ stream: import('node:stream').Readable, ended: Promise<void> }}
 */
export function packFolder(folder, excluded) {
  const without = excluded.map((name) => `--exclude=./${name}`);
  const child = spawn('tar', ['-c', '--warning=no-file-changed', ...without, '-C', folder, '-f', '-', '.'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { stream: child.stdout, ended: whenEnded(child, [0, changedWhileRead]) };
}

/**
 * @param {string} folder
 * @returns {{ stream: import('node:stream').Writable, ended: Promise<void> }}
 */
export function unpackInto(folder) {
  const child = spawn('tar', ['-x', '--no-same-owner', '-C', folder, '-f', '-'], { stdio: ['pipe', 'ignore', 'pipe'] });
  return { stream: child.stdin, ended: whenEnded(child, [0]) };
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {number[]} good
 */
async function whenEnded(child, good) {
  let words = '';
  child.stderr?.on('data', (text) => (words = `${words}${text}`.slice(-2000)));
  child.on('error', (error) => (words = String(error)));
  const [code] = await once(child, 'close');
  if (!good.includes(code ?? -1)) throw new LaunchError('tarFailed', `tar ended with code ${code}: ${words.trim()}`);
}
