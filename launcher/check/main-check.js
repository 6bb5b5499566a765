// Runs every source check, slow ones in parallel, and reports the failed ones.

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { root } from '../bootstrap/install.js';
import { run } from '../process/run.js';
import { checkAdvisories } from './advisories/check-advisories.js';
import { checkArrows } from './arrows.js';

/** @typedef {{ name: string, run: () => Promise<{ ok: boolean, text: string, isTold?: boolean }> }} Check `isTold`: the text is shown though it is green */

/** @type {Check[]} slowest first */
const checks = [
  types('console', 'console/tsconfig.json'),
  types('node', 'tsconfig.json'),
  types('browser tests', 'tests/browser/tsconfig.json'),
  types('launcher', 'launcher/tsconfig.json'),
  tool('lint and sizes', 'oxlint/bin/oxlint', [
    '--type-aware',
    '--quiet',
    '--report-unused-disable-directives-severity=error',
    '.',
  ]),
  { name: 'arrows', run: arrows },
  { name: 'advisories', run: advisories },
  program('expressions', 'launcher/check/regex/main-check-regexes.js'),
  tool('unused', 'knip/bin/knip.js', ['--no-progress', '--no-config-hints']),
  tool('format', '@biomejs/biome/bin/biome', ['format', '--max-diagnostics=50', '.']),
];

const begun = performance.now();
const only = process.argv.slice(2);
const chosen = checks.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)));
const red = await runAll(chosen);
const seconds = ((performance.now() - begun) / 1000).toFixed(1);
process.stdout.write(
  red.length === 0
    ? `check: ${chosen.length} of ${chosen.length} green in ${seconds} s\n`
    : `check: RED: ${red.join(', ')} (${seconds} s)\n`,
);
process.exitCode = red.length === 0 && chosen.length > 0 ? 0 : 1;

/**
 * @param {Check[]} list
 * @returns {Promise<string[]>} names of the red ones
 */
async function runAll(list) {
  const waiting = [...list];
  /** @type {string[]} */
  const failed = [];
  const worker = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const start = performance.now();
      const { ok, text, isTold } = await check.run();
      const took = `${((performance.now() - start) / 1000).toFixed(1)} s`;
      process.stdout.write(`${ok ? 'green' : 'RED  '} ${check.name.padEnd(16)} ${took}\n`);
      if (!ok) failed.push(check.name);
      if (!ok || isTold) process.stdout.write(`${text.trim()}\n`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, worker));
  return failed;
}

/**
 * Only what a change can break is checked again: tsc keeps what it found, and tells kept errors each time.
 * @param {string} name
 * @param {string} project
 * @returns {Check}
 */
function types(name, project) {
  const kept = path.join(root, '.vedette', 'types', `${name.replaceAll(' ', '-')}.tsbuildinfo`);
  return tool(`types: ${name}`, 'typescript7/bin/tsc', ['-p', project, '--incremental', '--tsBuildInfoFile', kept]);
}

/**
 * @param {string} name
 * @param {string} file below node_modules
 * @param {string[]} args
 * @returns {Check}
 */
function tool(name, file, args) {
  return program(name, path.join('node_modules', file), args);
}

/**
 * @param {string} name
 * @param {string} file below the root
 * @param {string[]} args
 * @returns {Check}
 */
function program(name, file, args = []) {
  return {
    name,
    run: async () => {
      const { code, stdout, stderr } = await run(process.execPath, [path.join(root, file), ...args], { cwd: root });
      return { ok: code === 0, text: `${stdout}\n${stderr}` };
    },
  };
}

async function arrows() {
  const { violations } = await checkArrows({ tree: root, tools: root, node: process.execPath });
  return { ok: violations.length === 0, text: violations.join('\n') };
}

async function advisories() {
  const { ok, lines } = await checkAdvisories({ tree: root });
  return { ok, text: lines.join('\n'), isTold: lines.length > 0 };
}
