// Runs all proofs: system packages, checks, then each suite, with one summary.

import fs from 'node:fs';
import path from 'node:path';
import { buildConsole } from '../installation/console-build.js';
import { root } from '../bootstrap/install.js';
import { describeLaunchError, LaunchError } from '../core/launch-error.js';
import { ensureAnalystRuntime } from './analyst-runtime.js';
import { affectedTests, changedSince, filesOf, usersOfFiles } from './affected-tests.js';
import { runStep, runSuite } from './run-suite.js';
import { joined, peers, suiteOf, suites } from './suites.js';
import { ensureSystemPackages } from './system-packages.js';

const begun = performance.now();
const args = process.argv.slice(2);
const long = args.includes('--long');
const wanted = args.filter((word) => !word.startsWith('--'));
/** Files may be named instead of suites. */
const files = wanted.filter((word) => word.includes('/'));
/** `--changed` or `--changed=REVISION`: only tests that a change since then can break; without a revision since the last commit. */
const changed = args.find((word) => word === '--changed' || word.startsWith('--changed='));
const isWhole = wanted.length === 0 && changed === undefined;
/** `--coverage` measures branches; a whole run must take as many as coverage-goals.js says, a part of it is not judged. */
const coverage = args.includes('--coverage') ? path.join(root, '.vedette', 'coverage') : null;
const branches = [
  '--disable-warning=ExperimentalWarning',
  path.join(root, 'launcher', 'test', 'main-coverage.js'),
  ...(isWhole ? ['--judge'] : []),
];
/** As many are named at the end of a run. */
const slowestNamed = 30;
process.exitCode = await main().catch((error) => {
  process.stderr.write(`${describeLaunchError(error, 'test')}\n`);
  return 1;
});

/** Suites to run, in order. */
function chosenSuites() {
  const named = wanted.length === 0 ? suites : [...suites, peers].filter(({ name }) => wanted.includes(name));
  const asked = files.length === 0 ? named : [...named, { name: 'files', projects: [], files }];
  const chosen = changed === undefined ? asked : onlyAffected(asked, changed.split('=')[1] ?? 'HEAD');
  if (changed !== undefined && chosen.length === 0) process.stdout.write('no test reaches what changed\n');
  if (asked.length === 0)
    throw new LaunchError(
      'usage',
      `no suite is called ${wanted.join(', ')}; there are ${[...suites, peers].map(({ name }) => name).join(', ')}.`,
    );
  return chosen;
}

async function main() {
  const chosen = chosenSuites();
  const say = (/** @type {string} */ text) => void process.stderr.write(`vedette: ${text}\n`);
  ensureSystemPackages(say, { withPeers: wanted.includes(peers.name) });
  ensureAnalystRuntime(say);
  const reports = fs.mkdtempSync(path.join(fs.realpathSync(process.env['TMPDIR'] ?? '/tmp'), 'vedette-reports-'));
  /** @type {string[]} */
  const summary = [];
  /** @type {import('./run-suite.js').Total} */
  const total = { passed: 0, failed: 0, skipped: 0, files: [] };
  let ok = true;
  try {
    const check = path.join(root, 'launcher', 'check', 'main-check.js');
    if (wanted.length === 0) ok = await runStep('check', [check], { summary, long });
    if (coverage !== null) fs.rmSync(coverage, { recursive: true, force: true });
    ok = (await runSuites(joined(chosen), { reports, summary, total, long, coverage })) && ok;
    if (coverage !== null) ok = (await runStep('branches', branches, { summary, long })) && ok;
  } finally {
    fs.rmSync(reports, { recursive: true, force: true });
  }
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  process.stdout.write(
    `\n${slowest(total.files)}\n${summary.join('\n')}\n${ok ? 'GREEN' : 'RED'} after ${minutes} min\n`,
  );
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return ok ? 0 : 1;
}

/** @typedef {import('./run-suite.js').Suite} Suite */

/**
 * One after another; whether all are green.
 * @param {Suite[]} runs
 * @param {Parameters<typeof runSuite>[1]} run
 */
async function runSuites(runs, run) {
  let ok = true;
  if (runs[0]?.opensConsole) await build();
  for (const [at, suite] of runs.entries()) {
    const [isGreen] = await Promise.all([runSuite(suite, run), runs[at + 1]?.opensConsole ? build() : null]);
    ok = isGreen && ok;
  }
  return ok;
}

/**
 * Suites with those of their files that a change since `base` can break; without the suites that have none.
 * @param {Suite[]} chosen
 * @param {string} base
 */
function onlyAffected(chosen, base) {
  const all = filesOf(root);
  const users = usersOfFiles(all, (file) => fs.readFileSync(path.join(root, file), 'utf8'));
  const affected = affectedTests({ files: all, changed: changedSince(root, base), users });
  if (affected === null) return chosen;
  return chosen
    .map((suite) => ({ ...suite, files: affected.filter((file) => suiteOf(file) === suite.name) }))
    .filter((suite) => suite.files.length > 0);
}

/** @param {{ file: string, seconds: number }[]} taken */
function slowest(taken) {
  const rows = taken.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestNamed);
  return rows.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`).join('\n');
}

/** Beside the suite before those that open it: two lanes that find none would both build it. */
function build() {
  const say = (/** @type {string} */ text) => process.stderr.write(`vedette: ${text}\n`);
  return buildConsole({ root, node: process.execPath, say, stopping: new AbortController().signal });
}
