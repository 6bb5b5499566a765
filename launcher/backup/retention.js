// Which backups are kept: the newest ones; what a backup that was cut off left behind goes with the next.

import fs from 'node:fs';
import path from 'node:path';
import { manifestName } from './manifest.js';

const namePattern = /^vedette-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/;

/**
 * @param {string} to
 * @param {number} keep
 * @returns {string[]} names of those that were removed
 */
export function removeOldBackups(to, keep) {
  const names = fs.readdirSync(to);
  const whole = names.filter((name) => namePattern.test(name) && fs.existsSync(path.join(to, name, manifestName)));
  const cut = names.filter((name) => name.endsWith('.part') && namePattern.test(name.slice(0, -'.part'.length)));
  const old = whole.toSorted().slice(0, Math.max(0, whole.length - keep));
  for (const name of [...old, ...cut]) fs.rmSync(path.join(to, name), { recursive: true, force: true });
  return old;
}
