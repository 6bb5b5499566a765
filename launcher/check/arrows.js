// Checks the dependency rules between rooms with dependency-cruiser, and that it read the files at all.

import fs from 'node:fs';
import path from 'node:path';
import { run } from '../process/run.js';
import { rooms } from './rooms.js';

const cruised = [...rooms, 'tests', 'bench'];

/**
 * @typedef {object} ArrowReport
 * @property {number} seen files of ours it read
 * @property {number} imports between files of ours that it followed
 * @property {string[]} violations one line each
 */

/**
 * @param {{ tree: string, tools: string, node: string }} options tree: folder with the rooms; tools: clone with the packages and the configuration
 * @returns {Promise<ArrowReport>}
 */
export async function checkArrows({ tree, tools, node }) {
  const present = cruised.filter((room) => fs.existsSync(path.join(tree, room)));
  const program = path.join(tools, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const config = path.join(tools, '.dependency-cruiser.cjs');
  const { stdout, stderr } = await run(node, [program, '--config', config, '-T', 'json', ...present], { cwd: tree });
  if (!stdout.startsWith('{'))
    return { seen: 0, imports: 0, violations: [`dependency-cruiser failed: ${stderr.trim()}`] };
  /** @type {{ modules: { source: string, dependencies: { resolved: string }[] }[], summary: { violations: { from: string, to: string, rule: { name: string } }[] } }} */
  const report = JSON.parse(stdout);
  const ours = report.modules.filter(({ source }) => isSource(source, present));
  const imports = ours
    .flatMap(({ dependencies }) => dependencies)
    .filter(({ resolved }) => isSource(resolved, present)).length;
  const violations = report.summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} → ${to}`);
  const expected = present.flatMap((room) => sourcesIn(path.join(tree, room)));
  if (ours.length < expected.length || imports === 0) {
    violations.push(
      `dependency-cruiser saw ${ours.length} of ${expected.length} files and ${imports} imports: it is blind, not content`,
    );
  }
  return { seen: ours.length, imports, violations };
}

/**
 * @param {string} file
 * @param {string[]} present
 */
function isSource(file, present) {
  return /\.(tsx?|js)$/.test(file) && present.includes(file.split('/')[0] ?? '');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesIn(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist', 'data'].includes(entry.name) ? [] : sourcesIn(file);
    return /(?<!\.d)\.tsx?$/.test(entry.name) ? [file] : [];
  });
}
