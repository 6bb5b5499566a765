// Finds the tests that a change can break: every test that reaches a changed file by imports, or by the program files that it starts.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { LaunchError } from '../core/launch-error.js';

const code = /\.(?:[cm]?[jt]sx?|html)$/;
const test = /\.(?:test|spec)\.[jt]sx?$/;
/** Whatever names another file does it in quotes: imports, `new URL(…)`, programs to start, scripts of a page. */
const quoted = /'([^'\n]{3,200})'|"([^"\n]{3,200})"|`([^`$\n]{3,200})`/g;
/** What these say holds for every file. */
const everywhere = /^(?:package(?:-lock)?\.json|vitest\.config\.ts|tsconfig\.json|\.npmrc|\.ci\/.*)$/;

/** `path.join(root, 'console', 'index.html')` names a file by its parts. */
const joined = /path\.join\(root, ('[^()\n]{1,120}')\)/g;

/**
 * Paths of tests relative to the tree, sorted; null where the change can break every one.
 * @param {{ files: string[], changed: string[], users: Map<string, string[]> }} tree `files`: all of the tree, relative to it; `users`: of `usersOfFiles`
 * @returns {string[] | null}
 */
export function affectedTests({ files, changed, users }) {
  if (changed.some((file) => everywhere.test(file))) return null;
  const reached = new Set(changed.flatMap((file) => (code.test(file) ? [file] : neighboursOf(file, files))));
  for (const file of reached) for (const user of users.get(file) ?? []) reached.add(user);
  return [...reached].filter((file) => test.test(file) && files.includes(file)).sort();
}

/**
 * Files changed since `base`, committed or not, and those git does not know yet.
 * @param {string} root
 * @param {string} base
 */
export function changedSince(root, base) {
  const since = git(root, ['merge-base', base, 'HEAD']).trim();
  const changed = git(root, ['diff', '--name-only', '--no-renames', since]);
  return lines(changed + git(root, ['ls-files', '--others', '--exclude-standard']));
}

/** @param {string} root */
export function filesOf(root) {
  return lines(git(root, ['ls-files', '--cached', '--others', '--exclude-standard'])).filter((file) =>
    fs.existsSync(path.join(root, file)),
  );
}

/**
 * @param {string[]} files
 * @param {(file: string) => string} read
 * @returns {Map<string, string[]>} the files that name a file, by that file
 */
export function usersOfFiles(files, read) {
  const known = new Set(files);
  /** @type {Map<string, string[]>} */
  const users = new Map();
  for (const file of files) {
    if (!code.test(file)) continue;
    const text = read(file).replaceAll(joined, (_, parts) => parts.replaceAll("', '", '/'));
    for (const [, single, double, template] of text.matchAll(quoted)) {
      const named = fileNamed(single ?? double ?? template ?? '', file, known);
      if (named === null || named === file) continue;
      const list = users.get(named) ?? [];
      users.set(named, list);
      list.push(file);
    }
  }
  return users;
}

/**
 * @param {string} text
 * @param {string} from the file in which it stands
 * @param {Set<string>} known
 */
function fileNamed(text, from, known) {
  if (!/\.[cm]?[jt]sx?$|\.html$|\.css$/.test(text)) return null;
  const room = from.split('/')[0] ?? '';
  const places = text.startsWith('@vedette/')
    ? [text.slice('@vedette/'.length)]
    : [path.posix.join(path.posix.dirname(from), text), path.posix.join(room, text), text];
  return places.find((place) => known.has(place)) ?? null;
}

/**
 * Nobody imports a migration, a style or a captured answer by its name in code: what lies beside it, or in the next folder up that
 * holds code, is what reads it.
 * @param {string} file
 * @param {string[]} files
 */
function neighboursOf(file, files) {
  for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder)) {
    const beside = files.filter((other) => path.posix.dirname(other) === folder && code.test(other));
    if (beside.length > 0) return beside;
  }
  return [];
}

/**
 * @param {string} root
 * @param {string[]} args
 */
function git(root, args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new LaunchError('usage', `git ${args.join(' ')}: ${stderr.trim()}`);
  return stdout;
}

/** @param {string} text */
function lines(text) {
  return text.split('\n').filter((line) => line !== '');
}
