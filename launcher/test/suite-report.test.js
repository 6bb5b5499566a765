// A failed file runs once more; the second run counts, and the file is reported as flaky.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readSuiteReport, withSecondRun } from './suite-report.js';

/** @type {string} */
let folder;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-suite-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

/** @param {Record<string, Record<string, string>>} files outcome by test, by file; where none passed, it failed before its tests */
function report(files) {
  const file = path.join(folder, 'report.json');
  const testResults = Object.entries(files).map(([name, tests]) => ({
    name: path.join(folder, name),
    status: statusOf(Object.values(tests)),
    message: 'it did not start',
    startTime: 0,
    endTime: 1000,
    assertionResults: Object.entries(tests).map(([fullName, status]) => ({
      fullName,
      status,
      ...(status === 'failed' && { failureMessages: ['\u001b[31mError: too late\u001b[39m\n    at a.ts:1'] }),
    })),
  }));
  fs.writeFileSync(file, JSON.stringify({ testResults }));
  return readSuiteReport(file, folder, []);
}

/** @param {string[]} outcomes */
const statusOf = (outcomes) => (outcomes.includes('passed') && !outcomes.includes('failed') ? 'passed' : 'failed');

it('takes the second run for its files and the first run for the others', () => {
  const first = report({
    a: { one: 'passed', two: 'failed' },
    b: { one: 'passed' },
    c: { one: 'passed', two: 'skipped' },
  });
  expect(first.failedFiles).toEqual(['a']);
  const whole = withSecondRun(first, report({ a: { one: 'passed', two: 'passed' } }), ['a']);
  expect(whole).toMatchObject({ passed: 4, failed: [], forbidden: ['c > two'] });
});

it('stays red where the second run fails or never reaches its tests', () => {
  const first = report({ a: {}, b: { one: 'failed' } });
  expect(first.failed).toEqual(['a: it did not start', 'b > one: Error: too late']);
  const whole = withSecondRun(first, report({ a: { one: 'passed' }, b: { one: 'failed' } }), ['a', 'b']);
  expect(whole).toMatchObject({ passed: 1, failed: ['b > one: Error: too late'] });
  expect(withSecondRun(first, report({ a: {}, b: { one: 'passed' } }), ['a', 'b']).failed).toHaveLength(1);
});

it('applies the second run to tests skipped by a failed hook', () => {
  const first = report({ a: { one: 'skipped', two: 'skipped' }, b: { one: 'passed' } });
  const whole = withSecondRun(first, report({ a: { one: 'passed', two: 'passed' } }), ['a']);
  expect(whole).toMatchObject({ passed: 3, failed: [], forbidden: [] });
});
