// Master key: created at the first start, readable by its owner alone, never printed.

import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';
import { writeAtomically } from '../core/write-atomically.js';

/**
 * @param {string} dataFolder
 * @param {string | undefined} given the operator's own key (VEDETTE_KEY)
 */
export function ensureMasterKey(dataFolder, given) {
  if (given !== undefined && given !== '') {
    if (!isKey(given))
      throw new LaunchError('masterKeyInvalid', 'VEDETTE_KEY must be 64 hexadecimal digits (32 bytes).');
    return;
  }
  const file = path.join(dataFolder, 'keys', 'master');
  if (fs.existsSync(file)) {
    if (!isKey(fs.readFileSync(file, 'utf8').trim())) {
      throw new LaunchError('masterKeyInvalid', `${file} does not hold 64 hexadecimal digits.`, {
        hint: 'Put the right file back from your copy: without it stored secrets cannot be read.',
      });
    }
    if ((fs.statSync(file).mode & 0o077) !== 0) fs.chmodSync(file, 0o600);
    return;
  }
  if (fs.existsSync(path.join(dataFolder, 'postgres'))) {
    throw new LaunchError('masterKeyMissing', `${file} is missing, though this folder holds a database.`, {
      hint: 'Put it back from your copy, or set VEDETTE_KEY: without it stored secrets cannot be read.',
    });
  }
  writeMasterKey(dataFolder, randomBytes(32).toString('hex'));
}

/**
 * @param {string} dataFolder
 * @param {string} key hexadecimal
 */
export function writeMasterKey(dataFolder, key) {
  const file = path.join(dataFolder, 'keys', 'master');
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, `${key}\n`);
}

/** @param {string} text */
export function isKey(text) {
  return /^[0-9a-fA-F]{64}$/.test(text);
}
