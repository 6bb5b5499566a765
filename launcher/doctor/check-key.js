// Doctor: is the master key there, well formed and private?

import fs from 'node:fs';
import path from 'node:path';
import { isKey } from '../data/master-key.js';
import { failure, ok, warning } from './finding.js';

/**
 * @param {import('./finding.js').Patient} patient
 * @returns {import('./finding.js').Finding[]}
 */
export function checkKey({ options, env }) {
  const given = env['VEDETTE_KEY'] ?? '';
  if (given !== '') {
    if (isKey(given)) return [ok('key', 'The master key is given by VEDETTE_KEY.')];
    return [failure('key', 'VEDETTE_KEY is not 64 hexadecimal digits.', 'Correct it.')];
  }
  const file = path.join(options.data, 'keys', 'master');
  if (!fs.existsSync(file)) {
    if (!fs.existsSync(path.join(options.data, 'postgres')))
      return [ok('key', 'The first start makes the master key.')];
    const advice = 'Put it back from your copy, or set VEDETTE_KEY: without it stored secrets cannot be read.';
    return [failure('key', `${file} is missing, though there is a database.`, advice)];
  }
  if (!isKey(fs.readFileSync(file, 'utf8').trim()))
    return [failure('key', `${file} does not hold 64 hexadecimal digits.`, 'Put the right file back from your copy.')];
  if ((fs.statSync(file).mode & 0o077) !== 0)
    return [warning('key', `Others may read ${file}.`, `Run: chmod 600 ${file}`)];
  return [ok('key', 'The master key is there, for its owner alone.')];
}
