// Reads everything a test run measured: the branches of every file, with what tests and the processes that they started took of them.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMeasured } from './coverage-goals.js';
import { addBranches, branchesOfFile, listBranches } from './file-branches.js';
import { readProcessCoverage } from './process-coverage.js';

/**
 * `processes/`: where Node writes. `merged/`: the same of suites that ended. `suites/`: what Vitest writes about its own processes.
 * @typedef {{ processes: string, merged: string, suites: string }} CoverageFolders
 * @typedef {import('./file-branches.js').Branch} Branch
 */

/**
 * @param {string} folder
 * @returns {CoverageFolders}
 */
export function coverageFolders(folder) {
  const at = (/** @type {string} */ name) => path.join(folder, name);
  return { processes: at('processes'), merged: at('merged'), suites: at('suites') };
}

/**
 * Makes one file of those of all processes that ended: a run starts more than a thousand, with two megabytes each.
 * @param {string} folder
 * @param {string} root
 */
export function mergeEndedProcesses(folder, root) {
  const { processes, merged } = coverageFolders(folder);
  const { scripts } = readProcessCoverage(processes, isOurs(root));
  fs.rmSync(processes, { recursive: true, force: true });
  if (scripts.size === 0) return;
  fs.mkdirSync(merged, { recursive: true });
  const file = path.join(merged, `${fs.readdirSync(merged).length}.json`);
  fs.writeFileSync(file, JSON.stringify({ result: [...scripts.values()] }));
}

/**
 * @param {string} folder
 * @param {{ root: string, files: string[] }} tree `files`: relative to the root
 * @returns {Promise<Map<string, Branch[]>>} by file; of all measured ones, also those that nothing loaded
 */
export async function readCoverage(folder, { root, files }) {
  const { merged } = coverageFolders(folder);
  const { scripts } = readProcessCoverage(merged, isOurs(root));
  const ofSuites = readSuites(folder, root);
  /** @type {Map<string, Branch[]>} */
  const branches = new Map();
  for (const name of files.filter(isMeasured)) {
    const file = path.join(root, name);
    const functions = scripts.get(pathToFileURL(file).href)?.functions ?? [];
    const own = await branchesOfFile({ file, text: fs.readFileSync(file, 'utf8'), functions });
    for (const list of ofSuites.get(name) ?? [])
      if (!addBranches(own, list))
        throw new Error(`${name} changed while its branches were measured: run the tests again`);
    branches.set(name, own);
  }
  return branches;
}

/**
 * @param {string} folder
 * @param {string} root
 */
function readSuites(folder, root) {
  const { suites } = coverageFolders(folder);
  /** @type {Map<string, Branch[][]>} */
  const byFile = new Map();
  for (const suite of fs.existsSync(suites) ? fs.readdirSync(suites) : []) {
    const file = path.join(suites, suite, 'branches.json');
    if (!fs.existsSync(file)) continue;
    /** @type {Record<string, import('./file-branches.js').CoverageOfFile>} */
    const report = JSON.parse(fs.readFileSync(file, 'utf8'));
    for (const [absolute, coverage] of Object.entries(report)) {
      const name = path.relative(root, absolute);
      byFile.set(name, [...(byFile.get(name) ?? []), listBranches(coverage)]);
    }
  }
  return byFile;
}

/** @param {string} root */
function isOurs(root) {
  const start = pathToFileURL(`${root}/`).href;
  return (/** @type {string} */ url) => url.startsWith(start) && isMeasured(url.slice(start.length));
}
