// Requirement ids in test titles: those of covered-ids.json must be present, open ones are printed.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testFiles } from './source-files.ts';

const { enforced, expected } = JSON.parse(readFileSync(new URL('covered-ids.json', import.meta.url), 'utf8')) as {
  /** A test title must name each of these. */
  readonly enforced: readonly string[];
  /** Worked on now: printed while no title names them. */
  readonly expected: readonly string[];
};

it('every enforced requirement is named by a test', () => {
  const named = new Set(
    testFiles().flatMap(({ text }) => [...text.matchAll(/\[([A-Z]{2}-\d{2,3})\]/g)].map((match) => match[1])),
  );
  const open = expected.filter((id) => !named.has(id));
  process.stdout.write(
    `requirements named by tests: ${expected.length - open.length} of ${expected.length}; open: ${open.join(' ') || 'none'}\n`,
  );
  expect(
    enforced.filter((id) => !named.has(id)),
    'put [ID] into the title of the test that proves it',
  ).toEqual([]);
});
