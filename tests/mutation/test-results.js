// Vitest reporter: each test and its result as JSON lines into VEDETTE_TEST_RESULTS.
import { appendFileSync } from 'node:fs';

export default class TestResults {
  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    const { state } = test.result();
    if (state === 'skipped') return;
    const line = { name: test.fullName, isFailed: state === 'failed' };
    appendFileSync(process.env['VEDETTE_TEST_RESULTS'] ?? '', `${JSON.stringify(line)}\n`);
  }
}
