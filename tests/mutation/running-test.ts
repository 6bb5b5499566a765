// Loaded before each contract test file in a mutation run: writes the running test to VEDETTE_RUNNING_TEST.
import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, type RunnerTask } from 'vitest';

const file = process.env['VEDETTE_RUNNING_TEST'];

/** As `TestCase.fullName` of a reporter says it. */
function nameOf({ name, suite }: RunnerTask): string {
  return suite === undefined || suite.name === '' ? name : `${nameOf(suite)} > ${name}`;
}

if (file !== undefined) {
  await import('./mutant-hook.js');
  beforeEach(({ task }) => writeFileSync(file, nameOf(task)));
  afterEach(() => writeFileSync(file, ''));
}
