// Seals everything with the new master key, step by step. Each step may be cut off and run again: what is sealed opens with the old key or with the new one.

import fs from 'node:fs';
import path from 'node:path';
import { resealStoreKeys } from '../backup/store-keys.js';
import { noteBackup } from '../backup/backup-state.js';
import { LaunchError } from '../core/launch-error.js';
import { writeMasterKey } from '../data/master-key.js';
import { run } from '../process/run.js';
import { endKeyChange } from './change-file.js';

/**
 * @typedef {object} KeyChangeOrder
 * @property {string} root
 * @property {string} node
 * @property {string} data
 * @property {string | null} databaseUrl null: a remote site, which has none
 * @property {string} from old key, hexadecimal
 * @property {string} to
 * @property {boolean} isKept in the data folder
 * @property {(text: string) => void} say
 *
 * @typedef {{ count: number, unreadable: string[] }} Resealed
 */

/**
 * Answers what the old key does not open, and changes nothing.
 * @param {KeyChangeOrder} order
 * @returns {Promise<string[]>}
 */
export async function findUnreadable(order) {
  if (order.databaseUrl === null) return [];
  return (await resealBy(order, ['server/main-reseal.ts', '--check'])).unreadable;
}

/**
 * @param {KeyChangeOrder} order
 * @returns {Promise<number>} values that are sealed with the new key
 */
export async function finishKeyChange(order) {
  const { data, from, to, databaseUrl, isKept, say } = order;
  let count = 0;
  if (from.toLowerCase() !== to.toLowerCase()) {
    // First the largest and the only one that may be refused.
    if (databaseUrl !== null) count += await told(order, 'database', ['server/main-reseal.ts']);
    count += await told(order, 'site', ['site/main-reseal.ts']);
    await resealStoreKeys(data, from, to);
    // The log of the database goes on with the new key: only a backup with it can be restored together with that.
    if (fs.existsSync(path.join(data, 'backup.json'))) noteBackup(data, { good: null, check: null });
    say('the files of the backups follow the new key');
  }
  if (isKept) writeMasterKey(data, to);
  endKeyChange(data);
  say('the master key is changed');
  return count;
}

/**
 * @param {KeyChangeOrder} order
 * @param {string} what
 * @param {string[]} program
 */
async function told(order, what, program) {
  const { count, unreadable } = await resealBy(order, program);
  order.say(`${count} secrets of the ${what} are sealed with the new key`);
  for (const place of unreadable) order.say(`${place} cannot be read with the old key and stays as it is`);
  return count;
}

/**
 * @param {KeyChangeOrder} order
 * @param {string[]} program
 * @returns {Promise<Resealed>}
 */
async function resealBy({ root, node, data, databaseUrl, from, to }, program) {
  const keys = { VEDETTE_KEY: from, VEDETTE_NEW_KEY: to };
  const { code, stdout, stderr } = await run(node, ['--disable-warning=ExperimentalWarning', ...program], {
    cwd: root,
    env: { PATH: process.env['PATH'], VEDETTE_DATA: data, DATABASE_URL: databaseUrl ?? undefined, ...keys },
  });
  const answer = stdout === '' ? null : JSON.parse(stdout);
  if (code === 0 && answer?.event === 'resealed') return answer;
  if (answer?.event === 'failed') throw new LaunchError(answer.code, answer.message, { hint: answer.hint });
  throw new LaunchError('resealFailed', `the secrets could not be sealed anew: ${stderr.trim().split('\n').at(-1)}`, {
    hint: 'Nothing is lost: run npm run master-key -- change again.',
  });
}
