// `keys/master-change` in the data folder: a change of the master key that has begun. It is removed when everything is sealed anew.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { isKey } from '../data/master-key.js';
import { writeAtomically } from '../core/write-atomically.js';

/**
 * @typedef {object} KeyChange
 * @property {string} to SHA-256 of the new key
 * @property {string | null} key the new one, hexadecimal; null: the operator keeps it elsewhere
 */

/**
 * @param {string} data
 * @returns {KeyChange | null}
 */
export function readKeyChange(data) {
  const file = fileIn(data);
  if (!fs.existsSync(file)) return null;
  try {
    const { to, key } = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (key === null ? typeof to === 'string' : hashOf(key) === to) return { to, key };
  } catch {
    // told below
  }
  throw new LaunchError('masterKeyChangeDamaged', `${file} is damaged.`, {
    hint: 'Run npm run master-key -- change again with the new key as VEDETTE_NEW_KEY, after removing the file.',
  });
}

/**
 * @param {string} data
 * @param {string} newKey
 * @param {boolean} isKept false: the operator keeps the key elsewhere
 */
export function noteKeyChange(data, newKey, isKept) {
  const file = fileIn(data);
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, `${JSON.stringify({ to: hashOf(newKey), key: isKept ? newKey : null })}\n`);
}

/** @param {string} data */
export function endKeyChange(data) {
  fs.rmSync(fileIn(data), { force: true });
}

/**
 * @param {KeyChange} change
 * @param {string | null} newKey as it was given
 * @returns {string}
 */
export function keyOfChange({ to, key }, newKey) {
  if (key !== null && (newKey === null || hashOf(newKey) === to)) return key;
  if (newKey !== null && hashOf(newKey) === to) return newKey;
  throw new LaunchError('masterKeyChangeUnfinished', 'a change of the master key was cut off.', {
    hint: 'Run npm run master-key -- change again with the same VEDETTE_KEY and VEDETTE_NEW_KEY.',
  });
}

/** @param {string} key */
function hashOf(key) {
  return isKey(key) ? createHash('sha256').update(Buffer.from(key, 'hex')).digest('hex') : '';
}

/** @param {string} data */
function fileIn(data) {
  return path.join(data, 'keys', 'master-change');
}
