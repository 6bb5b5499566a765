// Runs one test suite in a process of its own, and adds its result to the summary.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../bootstrap/install.js';
import { coverageFolders, mergeEndedProcesses } from '../branch-coverage/read-coverage.js';
import { readSuiteReport, withSecondRun } from './suite-report.js';

/** `npm run test:long` repeats faults as often as their table says, and what else is random this often. */
const longFaultRounds = '200';
/** And gives each fuzzed parser so many seconds, with a seed of its own. */
const longFuzzSeconds = '60';

/** More red files than these are no accident of a busy machine. */
const mostRunAgain = 3;

/**
 * `isBeside`: at the same time as the one before it. `opensConsole`: which is built by then. `startsProcesses`: real ones, which a
 * busy machine can hold up.
 * @typedef {{ name: string, projects: string[], files?: string[], isBeside?: boolean, opensConsole?: boolean, startsProcesses?: boolean }} Suite
 * @typedef {{ passed: number, failed: number, skipped: number, files: { file: string, seconds: number }[] }} Total
 * @typedef {{ reports: string, summary: string[], total: Total, long: boolean, coverage: string | null }} Into `coverage`: folder, where branches are measured
 * @typedef {import('./suite-report.js').SuiteReport} SuiteReport
 */

/**
 * A red file of a suite with processes is run once more from its very start, as the second try of a test finds the product as the
 * first one left it. Green then, it is named as flaky: a defect to mend.
 * @param {Suite} suite
 * @param {Into} into
 */
export async function runSuite(suite, into) {
  const { name } = suite;
  const start = performance.now();
  process.stdout.write(`\n── ${name}\n`);
  let report = await runFiles(suite, suite.files ?? [], into);
  const again = suite.startsProcesses && report.failedFiles.length <= mostRunAgain ? report.failedFiles : [];
  if (again.length > 0) {
    process.stdout.write(`\n── ${name}, once more: ${again.join(', ')}\n`);
    report = withSecondRun(report, await runFiles(suite, again, into), again);
  }
  const ok = report.failed.length === 0 && report.forbidden.length === 0 && report.passed > 0;
  addUp({ name, ok, report, start }, into);
  if (ok) for (const file of again) into.summary.push(`        flaky, green when run again: ${file}`);
  return ok;
}

/**
 * @param {{ name: string, ok: boolean, report: SuiteReport, start: number }} run
 * @param {Into} into
 */
function addUp({ name, ok, report, start }, { summary, total }) {
  total.passed += report.passed;
  total.failed += report.failed.length;
  total.skipped += report.skipped.length + report.forbidden.length;
  const skips = report.skipped.length > 0 ? `, ${report.skipped.length} skipped as tests/skips.json allows` : '';
  summary.push(
    `${ok ? 'green' : 'RED  '} ${name.padEnd(20)} ${report.passed} passed, ${report.failed.length} failed${skips} (${seconds(start)})`,
  );
  total.files.push(...report.files);
  for (const title of report.failed) summary.push(`        failed: ${title}`);
  for (const title of report.forbidden) summary.push(`        skipped, but not listed in tests/skips.json: ${title}`);
}

/**
 * @param {Suite} suite
 * @param {string[]} only
 * @param {Into} into
 * @returns {Promise<SuiteReport>}
 */
async function runFiles({ name, projects }, only, { reports, long, coverage }) {
  const run = `${name}${only.length === 0 ? '' : '-files'}`;
  const file = path.join(reports, `${run}.json`);
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const select = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const measured =
    coverage === null ? [] : [`--coverage.reportsDirectory=${path.join(coverageFolders(coverage).suites, run)}`];
  const code = await runNode([vitest, 'run', ...only, ...select, ...reporters, ...measured], { long, coverage });
  if (coverage !== null) mergeEndedProcesses(coverage, root);
  const allowed = JSON.parse(fs.readFileSync(path.join(root, 'tests', 'skips.json'), 'utf8'));
  const report = readSuiteReport(file, root, allowed);
  if (code !== 0 && report.failed.length === 0) report.failed.push(`vitest ended with code ${code}`);
  return report;
}

/**
 * @param {string} name
 * @param {string[]} command
 * @param {{ summary: string[], long: boolean }} into
 */
export async function runStep(name, command, { summary, long }) {
  const start = performance.now();
  process.stdout.write(`\n── ${name}\n`);
  const ok = (await runNode(command, { long, coverage: null })) === 0;
  summary.push(`${ok ? 'green' : 'RED  '} ${name.padEnd(20)} (${seconds(start)})`);
  return ok;
}

/**
 * @param {string[]} command
 * @param {{ long: boolean, coverage: string | null }} how
 */
async function runNode(command, { long, coverage }) {
  // Hundreds of processes start in a run: what the first ones compiled serves all.
  const usual = { NODE_COMPILE_CACHE: path.join(root, '.vedette', 'compile-cache'), ...process.env };
  const lengths = { FAULT_ROUNDS: longFaultRounds, FUZZ_SECONDS: longFuzzSeconds };
  const counts = process.env['FAULT_ROUNDS'] === undefined ? { FAULT_TABLE: '1' } : {};
  const measured = coverage === null ? {} : { VEDETTE_COVERAGE: coverage };
  const env = { ...(long && { ...lengths, ...counts }), ...usual, ...measured };
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'close');
  return code ?? 1;
}

/** @param {number} start */
function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
