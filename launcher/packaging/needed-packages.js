// Which packages of npm the shipped code needs: those that it imports, with what they need themselves.

import { builtinModules } from 'node:module';
import path from 'node:path';

/**
 * Of package-lock.json.
 * @typedef {{ link?: boolean, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string> }} LockEntry
 */

/** Names of packages that a module imports; ours and Node's own left out. */
const specifier = /\b(?:from|import|resolve)[ (]{1,2}'([^'.][^'\n]*)'/g;

/**
 * @param {string} text of a module
 * @returns {string[]}
 */
export function importedPackages(text) {
  const names = [...text.matchAll(specifier)].map(([, name = '']) => packageOf(name));
  return [...new Set(names)].filter(
    (name) => !name.startsWith('node:') && !name.startsWith('@vedette/') && !builtinModules.includes(name),
  );
}

/** @param {string} name */
function packageOf(name) {
  const parts = name.split('/');
  return name.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

/**
 * @param {Record<string, LockEntry>} lock `packages` of package-lock.json: by folder below the root
 * @param {readonly string[]} names of packages that code at the root, or in a workspace, imports
 * @param {(folder: string) => boolean} isInstalled
 * @returns {string[]} their folders below the root, and those of all that they need, sorted
 */
export function neededFolders(lock, names, isInstalled) {
  /** @type {Set<string>} */
  const found = new Set();
  const waiting = names.map((name) => ({ from: '', name }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = resolve(lock, next.from, next.name);
    if (folder === null || found.has(folder) || !isInstalled(folder)) continue;
    found.add(folder);
    const { dependencies, optionalDependencies, peerDependencies } = lock[folder] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      waiting.push({ from: folder, name });
  }
  return [...found].toSorted();
}

/**
 * As Node looks for it: in the package's own node_modules, then in those above.
 * @param {Record<string, LockEntry>} lock
 * @param {string} from
 * @param {string} name
 */
function resolve(lock, from, name) {
  for (let place = from; ; place = above(place)) {
    const folder = path.posix.join(place, 'node_modules', name);
    if (lock[folder] !== undefined && !lock[folder].link) return folder;
    if (place === '') return null;
  }
}

/** @param {string} place */
function above(place) {
  const at = place.lastIndexOf('node_modules/');
  return at <= 0 ? '' : place.slice(0, at - 1);
}
