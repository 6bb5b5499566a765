// Reads vitest's report of one suite: passed, failed and skipped, and skips that are not allowed.

import fs from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Characters of a reason that a summary names. */
const longestReason = 300;

/**
 * @typedef {object} AllowedSkip
 * @property {string} file relative to the clone
 * @property {string} test full name, or its beginning with a * behind it
 * @property {string} reason
 *
 * @typedef {{ fullName: string, status: string, failureMessages?: string[] }} TestResult
 *
 * @typedef {object} SuiteReport
 * @property {number} passed
 * @property {string[]} failed each with the first line of its reason
 * @property {string[]} failedFiles that failed, or hold a test that did; empty where the suite said nothing
 * @property {Record<string, number>} passedIn by file
 * @property {string[]} skipped allowed ones
 * @property {string[]} forbidden skips that tests/skips.json does not list
 * @property {{ file: string, seconds: number }[]} files by how long they took, the longest first
 */

/**
 * @param {string} reportFile
 * @param {string} root
 * @param {AllowedSkip[]} allowed
 * @returns {SuiteReport}
 */
export function readSuiteReport(reportFile, root, allowed) {
  if (!fs.existsSync(reportFile))
    return {
      passed: 0,
      failed: ['the suite ended without a report'],
      failedFiles: [],
      passedIn: {},
      skipped: [],
      forbidden: [],
      files: [],
    };
  /** @type {{ testResults: { name: string, status: string, message?: string, startTime: number, endTime: number, assertionResults: TestResult[] }[] }} */
  const report = JSON.parse(fs.readFileSync(reportFile, 'utf8'));
  /** @type {SuiteReport} */
  const sum = { passed: 0, failed: [], failedFiles: [], passedIn: {}, skipped: [], forbidden: [], files: [] };
  for (const { name, status, message, startTime, endTime, assertionResults } of report.testResults) {
    const file = path.relative(root, name);
    sum.files.push({ file, seconds: (endTime - startTime) / 1000 });
    if (status === 'failed') sum.failedFiles.push(file);
    if (status === 'failed' && !assertionResults.some((one) => one.status === 'failed'))
      sum.failed.push(`${file}: ${(message ?? '').split('\n')[0]}`);
    for (const result of assertionResults) addResult(sum, file, result, allowed);
  }
  sum.files.sort((a, b) => b.seconds - a.seconds);
  return sum;
}

/**
 * @param {SuiteReport} sum
 * @param {string} file
 * @param {TestResult} result
 * @param {AllowedSkip[]} allowed
 */
function addResult(sum, file, { fullName, status, failureMessages }, allowed) {
  const title = `${file} > ${fullName}`;
  if (status === 'passed') {
    sum.passed += 1;
    sum.passedIn[file] = (sum.passedIn[file] ?? 0) + 1;
  } else if (status === 'failed') sum.failed.push([title, ...firstLine(failureMessages?.[0])].join(': '));
  else if (allowed.some((skip) => skip.file === file && matches(skip.test, fullName))) sum.skipped.push(title);
  else sum.forbidden.push(title);
}

/**
 * Of a reason, without the colours of a terminal: it tells what broke where a long log is cut off.
 * @param {string | undefined} reason
 */
function firstLine(reason) {
  const line = stripVTControlCharacters(reason ?? '')
    .split('\n')[0]
    ?.slice(0, longestReason);
  return line ? [line] : [];
}

/**
 * What a run says once these files of it have been run again.
 * @param {SuiteReport} first
 * @param {SuiteReport} second
 * @param {string[]} files
 * @returns {SuiteReport}
 */
export function withSecondRun(first, second, files) {
  const isOfOthers = (/** @type {string} */ title) =>
    !files.some((file) => title.startsWith(`${file} > `) || title.startsWith(`${file}: `));
  const passedBefore = files.reduce((sum, file) => sum + (first.passedIn[file] ?? 0), 0);
  return {
    passed: first.passed - passedBefore + second.passed,
    failed: [...first.failed.filter(isOfOthers), ...second.failed],
    failedFiles: second.failedFiles,
    passedIn: { ...first.passedIn, ...second.passedIn },
    skipped: [...first.skipped.filter(isOfOthers), ...second.skipped],
    forbidden: [...first.forbidden.filter(isOfOthers), ...second.forbidden],
    files: first.files,
  };
}

/**
 * @param {string} pattern
 * @param {string} fullName
 */
function matches(pattern, fullName) {
  return pattern.endsWith('*') ? fullName.startsWith(pattern.slice(0, -1)) : fullName === pattern;
}
