// Folders that are built from sources: told by a stamp whether they are up to date, and replaced as a whole.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const stampName = '.vedette-build';

/**
 * @param {string} folder
 * @param {string} wanted hash of the sources
 */
export function isBuiltFrom(folder, wanted) {
  const stamp = path.join(folder, stampName);
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted;
}

/**
 * @param {string} folder
 * @param {string} wanted
 */
export function writeStamp(folder, wanted) {
  fs.writeFileSync(path.join(folder, stampName), wanted);
}

/**
 * @param {string} target
 * @param {string} fresh built beside it
 */
export function replaceFolder(target, fresh) {
  const old = `${fresh}-old`;
  if (fs.existsSync(target)) fs.renameSync(target, old);
  fs.renameSync(fresh, target);
  fs.rmSync(old, { recursive: true, force: true });
}

/**
 * @param {string} root
 * @param {readonly string[]} sources files and folders below the root
 */
export function hashSources(root, sources) {
  const hash = createHash('sha256');
  for (const name of sources) {
    for (const file of filesIn(path.join(root, name)))
      hash
        .update(`${path.relative(root, file)}\0`)
        .update(fs.readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex');
}

/**
 * @param {string} place
 * @returns {string[]} sorted, without built files, packages and tests
 */
function filesIn(place) {
  if (!fs.existsSync(place)) return [];
  if (fs.statSync(place).isFile()) return [place];
  const entries = fs.readdirSync(place, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap((entry) => {
    if (['node_modules', 'dist'].includes(entry.name) || /\.(test|spec)\.tsx?$/.test(entry.name)) return [];
    return filesIn(path.join(place, entry.name));
  });
}
