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
 * `shard`: which of how many parts of its files, for example `1/2`.
 * @typedef {{ name: string, projects: string[], files?: string[], shard?: string, isBeside?: boolean }} Suite
 */

/** @param {Pick<Suite, 'name' | 'shard'>} suite */
export function labelOf({ name, shard }) {
  return shard === undefined ? name : `${name} ${shard[0]}`;
}

/**
 * @param {Suite} suite
 * @param {{ reports: string, summary: string[], total: { passed: number, failed: number, skipped: number }, lane: number, long: boolean }} into
 */
export async function runSuite(suite, { reports, summary, total, lane, long }) {
  const { projects, files: only = [], shard } = suite;
  const name = labelOf(suite);
  const file = path.join(reports, `${name}.json`);
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const select = projects.flatMap((project) => ['--project', project]);
  const start = performance.now();
  const command = [
    vitest,
    'run',
    ...only,
    ...select,
    ...(shard === undefined ? [] : [`--shard=${shard}`]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const said = path.join(reports, `${name}.log`);
  if (lane === 0) process.stdout.write(`\n── ${name}\n`);
  const code = await runNode(command, { long, output: lane === 0 ? 'inherit' : fs.openSync(said, 'w') });
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
    `${ok ? 'green' : 'RED  '} ${name.padEnd(12)} ${report.passed} passed, ${report.failed.length} failed${skips} (${seconds(start)})`,
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
  const ok = (await runNode(command, { long, output: 'inherit' })) === 0;
  summary.push(`${ok ? 'green' : 'RED  '} ${name.padEnd(12)} (${seconds(start)})`);
  return ok;
}

/**
 * @param {string[]} command
 * @param {{ long: boolean, output: 'inherit' | number }} how `output` may be the descriptor of a file
 */
async function runNode(command, { long, output }) {
  const lengths = { FAULT_ROUNDS: longFaultRounds, FUZZ_SECONDS: longFuzzSeconds };
  const counts = process.env['FAULT_ROUNDS'] === undefined ? { FAULT_TABLE: '1' } : {};
  const env = long ? { ...lengths, ...counts, ...process.env } : process.env;
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', output, output] });
  const [code] = await once(child, 'close');
  return code ?? 1;
}

/** @param {number} start */
function seconds(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
