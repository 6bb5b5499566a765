// Reads what Node wrote about the processes that tests started: which blocks of our files ran, in all of them together.

import fs from 'node:fs';
import path from 'node:path';
import { mergeScriptCovs } from '@bcoe/v8-coverage';

/** @typedef {import('node:inspector').Profiler.ScriptCoverage} ScriptCoverage */

/** So many processes are merged at a time: all at once would not fit into memory, one by one takes long. */
const batch = 24;

/**
 * @param {string} folder where `NODE_V8_COVERAGE` pointed
 * @param {(url: string) => boolean} isOurs
 * @returns {{ processes: number, unreadable: number, scripts: Map<string, ScriptCoverage> }} `scripts` by URL
 */
export function readProcessCoverage(folder, isOurs) {
  const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  /** @type {Map<string, ScriptCoverage>} */
  let scripts = new Map();
  let unreadable = 0;
  for (let at = 0; at < files.length; at += batch) {
    const read = files.slice(at, at + batch).map((name) => scriptsOf(path.join(folder, name), isOurs));
    unreadable += read.filter((list) => list === null).length;
    scripts = merged([...scripts.values(), ...read.flatMap((list) => list ?? [])]);
  }
  return { processes: files.length - unreadable, unreadable, scripts };
}

/**
 * @param {string} file
 * @param {(url: string) => boolean} isOurs
 * @returns {ScriptCoverage[] | null} null where the process was killed while it wrote
 */
function scriptsOf(file, isOurs) {
  try {
    /** @type {{ result: ScriptCoverage[] }} */
    const { result } = JSON.parse(fs.readFileSync(file, 'utf8'));
    return result.filter(({ url }) => isOurs(url));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** @param {ScriptCoverage[]} list */
function merged(list) {
  /** @type {Map<string, ScriptCoverage[]>} */
  const byUrl = new Map();
  for (const script of list) byUrl.set(script.url, [...(byUrl.get(script.url) ?? []), script]);
  /** @type {Map<string, ScriptCoverage>} */
  const scripts = new Map();
  for (const [url, same] of byUrl) scripts.set(url, mergeScriptCovs(same) ?? { scriptId: '0', url, functions: [] });
  return scripts;
}
