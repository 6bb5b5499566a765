// Runs every source check, slow ones in parallel, and reports the failed ones.

import { availableParallelism } from 'node:os';
import path from 'node:path';
import { root } from '../bootstrap/install.js';
import { run } from '../process/run.js';
import { checkAdvisories } from './advisories/check-advisories.js';
import { checkArrows } from './arrows.js';

/** @typedef {{ name: string, run: () => Promise<{ ok: boolean, text: string, isTold?: boolean }> }} Check `isTold`: the text is shown though it is green */

const lintArgs = ['--type-aware', '--quiet', '--report-unused-disable-directives-severity=error', '.'];

/** @type {Check[]} slowest first */
const checks = [
  types('node', 'tsconfig.json'),
  // The types that its rules need are worked out anew in each of its threads too.
  tool('lint and sizes', 'oxlint/bin/oxlint', lintArgs, { GOMAXPROCS: '1' }),
  types('console', 'console/tsconfig.json'),
  types('browser tests', 'tests/browser/tsconfig.json'),
  types('launcher', 'launcher/tsconfig.json'),
  types('examples', 'examples/shells/tsconfig.json'),
  types('gtk view', 'shells/gtk/view/tsconfig.json'),
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
 * Only what a change can break is checked again: tsc keeps what it found, and tells kept errors each time. With one checker: each of
 * several works out most types anew, which costs twice the processor time, and the checks run beside each other anyway.
 * @param {string} name
 * @param {string} project
 * @returns {Check}
 */
function types(name, project) {
  const kept = path.join(root, '.vedette', 'types', `${name.replaceAll(' ', '-')}.tsbuildinfo`);
  const args = ['-p', project, '--checkers', '1', '--incremental', '--tsBuildInfoFile', kept];
  return tool(`types: ${name}`, 'typescript7/bin/tsc', args);
}

/**
 * @param {string} name
 * @param {string} file below node_modules
 * @param {string[]} args
 * @param {Record<string, string>} [env] beside ours
 * @returns {Check}
 */
function tool(name, file, args, env) {
  return program(name, path.join('node_modules', file), args, env);
}

/**
 * @param {string} name
 * @param {string} file below the root
 * @param {string[]} args
 * @param {Record<string, string>} env beside ours
 * @returns {Check}
 */
function program(name, file, args = [], env = {}) {
  return {
    name,
    run: async () => {
      const options = { cwd: root, env: { ...process.env, ...env } };
      const { code, stdout, stderr } = await run(process.execPath, [path.join(root, file), ...args], options);
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
