// A reporter of vitest: when each test ran and whether it failed, as JSON lines into VEDETTE_TEST_TIMES.
import { appendFileSync } from 'node:fs';

export default class TestTimes {
  /** @param {import('vitest/node').TestCase} test */
  onTestCaseResult(test) {
    const { startTime = 0, duration = 0 } = test.diagnostic() ?? {};
    const state = test.result().state;
    if (state === 'skipped') return;
    const line = { name: test.fullName, from: startTime, to: startTime + duration, isFailed: state === 'failed' };
    appendFileSync(process.env['VEDETTE_TEST_TIMES'] ?? '', `${JSON.stringify(line)}\n`);
  }
}
