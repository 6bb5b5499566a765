// Runs one suite of tests in a process of its own, and adds what came of it to the summary.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../install.js';
import { readSuiteReport } from './suite-report.js';

/** `npm run test:long` repeats faults as often as their table says, and what else is random this often. */
const longFaultRounds = '200';
/** And gives each fuzzed parser so many seconds, with a seed of its own. */
const longFuzzSeconds = '60';

/**
 * `isBeside`: at the same time as the one before it. `opensConsole`: which is built by then.
 * @typedef {{ name: string, projects: string[], files?: string[], isBeside?: boolean, opensConsole?: boolean }} Suite
 */

/**
 * @param {Suite} suite
 * @param {{ reports: string, summary: string[], total: { passed: number, failed: number, skipped: number }, long: boolean }} into
 */
export async function runSuite({ name, projects, files: only = [] }, { reports, summary, total, long }) {
  const file = path.join(reports, `${name}.json`);
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const select = projects.flatMap((project) => ['--project', project]);
  const start = performance.now();
  const command = [
    vitest,
    'run',
    ...only,
    ...select,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  process.stdout.write(`\n── ${name}\n`);
  const code = await runNode(command, { long });
  const report = readSuiteReport(
    file,
    root,
    JSON.parse(fs.readFileSync(path.join(root, 'tests', 'skips.json'), 'utf8')),
  );
  const ok = code === 0 && report.failed.length === 0 && report.forbidden.length === 0 && report.passed > 0;
  total.passed += report.passed;
  total.failed += report.failed.length;
  total.skipped += report.skipped.length + report.forbidden.length;
  const skips = report.skipped.length > 0 ? `, ${report.skipped.length} skipped as tests/skips.json allows` : '';
  summary.push(
    `${ok ? 'green' : 'RED  '} ${name.padEnd(20)} ${report.passed} passed, ${report.failed.length} failed${skips} (${seconds(start)})`,
  );
  for (const { file, seconds: taken } of long ? report.files : [])
    summary.push(`        ${taken.toFixed(0).padStart(6)} s  ${file}`);
  for (const title of report.failed) summary.push(`        failed: ${title}`);
  for (const title of report.forbidden) summary.push(`        skipped, but not listed in tests/skips.json: ${title}`);
  if (code !== 0 && report.failed.length === 0) summary.push(`        vitest ended with code ${code}`);
  return ok;
}

/**
 * @param {string} name
 * @param {string[]} command
 * @param {{ summary: string[], long: boolean }} into
 */
export async function runStep(name, command, { summary, long }) {
  const start = performance.now();
  process.stdout.write(`\n── ${name}\n`);
  const ok = (await runNode(command, { long })) === 0;
  summary.push(`${ok ? 'green' : 'RED  '} ${name.padEnd(20)} (${seconds(start)})`);
  return ok;
}

/**
 * @param {string[]} command
 * @param {{ long: boolean }} how
 */
async function runNode(command, { long }) {
  // Hundreds of processes start in a run: what the first ones compiled serves all.
  const usual = { NODE_COMPILE_CACHE: path.join(root, '.vedette', 'compile-cache'), ...process.env };
  const lengths = { FAULT_ROUNDS: longFaultRounds, FUZZ_SECONDS: longFuzzSeconds };
  const counts = process.env['FAULT_ROUNDS'] === undefined ? { FAULT_TABLE: '1' } : {};
  const env = long ? { ...lengths, ...counts, ...usual } : usual;
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'close');
  return code ?? 1;
}

/** @param {number} start */
function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
