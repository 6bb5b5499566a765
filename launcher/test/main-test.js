// Runs everything that proves the project: system programs, checks, then each suite, with one summary at the end.

import fs from 'node:fs';
import path from 'node:path';
import { root } from '../install.js';
import { describeLaunchError, LaunchError } from '../launch-error.js';
import { labelOf, runStep, runSuite } from './run-suite.js';
import { ensureSystemPackages } from './system-packages.js';

/**
 * Cheap and telling ones first. Where `isBeside`, a suite, or the other half of one, runs at the same time as the one before it:
 * both wait for cameras, disks and pages most of their time. What it says is kept until the other has ended.
 */
const suites = [
  { name: 'unit', projects: ['unit', 'component', 'project'] },
  { name: 'fuzz', projects: ['fuzz'] },
  { name: 'contract', projects: ['contract'], shard: '1/2' },
  { name: 'contract', projects: ['contract'], shard: '2/2', isBeside: true },
  { name: 'integration', projects: ['integration'] },
  { name: 'faults', projects: ['faults'], isBeside: true },
  { name: 'browser', projects: ['browser'], shard: '1/2' },
  { name: 'browser', projects: ['browser'], shard: '2/2', isBeside: true },
];
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
    const check = path.join(root, 'launcher', 'check', 'main-check.js');
    if (wanted.length === 0) ok = await runStep('check', [check], { summary, long });
    for (const group of groupsOf(chosen)) {
      const ends = await Promise.all(
        group.map((suite, lane) => runSuite(suite, { reports, summary, total, lane, long })),
      );
      for (const suite of group.slice(1)) tellKept(labelOf(suite), reports);
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

/** @typedef {import('./run-suite.js').Suite} Suite */

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
