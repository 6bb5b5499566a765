// Runs everything that proves the project: system programs, checks, then each suite, with one summary at the end.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../install.js';
import { describeLaunchError, LaunchError } from '../launch-error.js';
import { readSuiteReport } from './suite-report.js';
import { ensureSystemPackages } from './system-packages.js';

/**
 * Cheap and telling ones first. Where `isBeside`, a suite runs at the same time as the one before it: both wait for cameras and
 * disks most of their time. What it says is kept until the other has ended.
 */
const suites = [
  { name: 'unit', projects: ['unit', 'component', 'project'] },
  { name: 'fuzz', projects: ['fuzz'] },
  { name: 'contract', projects: ['contract'] },
  { name: 'integration', projects: ['integration'] },
  { name: 'faults', projects: ['faults'], isBeside: true },
  { name: 'browser', projects: ['browser'] },
];
/** `npm run test:long` repeats faults as often as their table says, and what else is random this often. */
const longFaultRounds = '200';
/** And gives each fuzzed parser so many seconds, with a seed of its own. */
const longFuzzSeconds = '60';

const begun = performance.now();
const args = process.argv.slice(2);
const long = args.includes('--long');
const wanted = args.filter((word) => !word.startsWith('--'));
/** Files may be named instead of suites. */
const files = wanted.filter((word) => word.includes('/'));
process.exitCode = await main().catch((error) => {
  process.stderr.write(`${describeLaunchError(error)}\n`.replace('cannot start', 'cannot test'));
  return 1;
});

async function main() {
  const named = wanted.length === 0 ? suites : suites.filter(({ name }) => wanted.includes(name));
  const chosen = files.length === 0 ? named : [...named, { name: 'files', projects: [], files }];
  if (chosen.length === 0)
    throw new LaunchError(
      'usage',
      `no suite is called ${wanted.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}.`,
    );
  ensureSystemPackages((text) => process.stderr.write(`vedette: ${text}\n`));
  const reports = fs.mkdtempSync(path.join(fs.realpathSync(process.env['TMPDIR'] ?? '/tmp'), 'vedette-reports-'));
  /** @type {string[]} */
  const summary = [];
  const total = { passed: 0, failed: 0, skipped: 0 };
  let ok = true;
  try {
    if (wanted.length === 0) ok = await step('check', [path.join(root, 'launcher', 'check', 'main-check.js')], summary);
    for (const group of groupsOf(chosen)) {
      const ends = await Promise.all(group.map((suite, lane) => runSuite(suite, { reports, summary, total, lane })));
      for (const { name } of group.slice(1)) tellKept(name, reports);
      ok = ends.every(Boolean) && ok;
    }
  } finally {
    fs.rmSync(reports, { recursive: true, force: true });
  }
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  process.stdout.write(`\n${summary.join('\n')}\n${ok ? 'GREEN' : 'RED'} after ${minutes} min\n`);
  process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
  return ok ? 0 : 1;
}

/** @param {Suite[]} chosen */
function groupsOf(chosen) {
  /** @type {Suite[][]} */
  const groups = [];
  for (const suite of chosen) {
    const last = groups.at(-1);
    if (suite.isBeside && last) last.push(suite);
    else groups.push([suite]);
  }
  return groups;
}

/**
 * @param {string} name
 * @param {string} reports
 */
function tellKept(name, reports) {
  process.stdout.write(`\n── ${name}\n`);
  process.stdout.write(fs.readFileSync(path.join(reports, `${name}.log`)));
}

/** @typedef {{ name: string, projects: string[], files?: string[], isBeside?: boolean }} Suite */

/**
 * @param {Suite} suite
 * @param {{ reports: string, summary: string[], total: { passed: number, failed: number, skipped: number }, lane: number }} into
 */
async function runSuite({ name, projects, files: only = [] }, { reports, summary, total, lane }) {
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
  const said = path.join(reports, `${name}.log`);
  if (lane === 0) process.stdout.write(`\n── ${name}\n`);
  const code = lane === 0 ? await runNode(command) : await runNode(command, fs.openSync(said, 'w'));
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
 * @param {string[]} summary
 */
async function step(name, command, summary) {
  const start = performance.now();
  process.stdout.write(`\n── ${name}\n`);
  const ok = (await runNode(command)) === 0;
  summary.push(`${ok ? 'green' : 'RED  '} ${name.padEnd(12)} (${seconds(start)})`);
  return ok;
}

/**
 * @param {string[]} command
 * @param {'inherit' | number} [output] descriptor of a file
 */
async function runNode(command, output = 'inherit') {
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
