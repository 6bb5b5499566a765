// Checks that every shipped regular expression is linear (no ReDoS), and that the files were read at all.
import fs from 'node:fs';
import path from 'node:path';
import { rooms } from '../rooms.js';
import { acceptedRegexes } from './accepted-regexes.js';
import { regexesIn } from './find-regexes.js';
import { growthOf } from './regex-growth.js';

/**
 * @typedef {{ file: string, regex: string, bound: string }} AcceptedRegex `bound`: why its text is always short, and how short
 * @typedef {{ files: number, regexes: number, red: string[] }} RegexReport
 */

/**
 * @param {string} tree folder with the rooms
 * @param {readonly AcceptedRegex[]} accepted
 * @returns {RegexReport}
 */
export function checkRegexes(tree, accepted = acceptedRegexes) {
  const files = rooms.flatMap((room) => sourcesIn(tree, room));
  const unused = new Set(accepted);
  /** @type {string[]} */
  const red = [];
  let regexes = 0;
  for (const file of files) {
    const text = fs.readFileSync(path.join(tree, file), 'utf8');
    if (!/\/|RegExp/.test(text)) continue;
    for (const { line, source, flags } of regexesIn(file, text)) {
      regexes += 1;
      const said = source === null ? 'made of text that is not in the file' : complaintOf(source, flags);
      if (said === null) continue;
      const shown = `/${source ?? ''}/${flags}`;
      const known = accepted.filter((one) => one.file === file && one.regex === shown);
      for (const one of known) unused.delete(one);
      if (known.length === 0) red.push(`${file}:${line} ${shown} ${said}`);
    }
  }
  for (const { file, regex } of unused)
    red.push(`${file} ${regex} is accepted, but is not there or needs no acceptance`);
  return { files: files.length, regexes, red };
}

/**
 * @param {string} source
 * @param {string} flags
 */
function complaintOf(source, flags) {
  const growth = growthOf(source, flags);
  if (growth === null) return null;
  if (growth.kind === 'unknown') return `can't be judged: ${growth.pump}`;
  return `is ${growth.kind} in the repeats of ${JSON.stringify(growth.pump)}`;
}

/**
 * @param {string} tree
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesIn(tree, folder) {
  const place = path.join(tree, folder);
  if (!fs.existsSync(place)) return [];
  return fs.readdirSync(place, { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', 'data'].includes(entry.name) ? [] : sourcesIn(tree, file);
    return /\.(?:tsx?|js)$/.test(file) && !/\.(?:test|spec|fixture|fake|d)\.(?:tsx?|js)$/.test(file) ? [file] : [];
  });
}
