// Every notifier runs the conformance suite.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { NOTIFIERS } from './registry.ts';

const NO_NOTIFIERS = ['kit', 'conformance'];
const here = new URL('./', import.meta.url);

it('each folder has one notifier, and its test runs the conformance suite', () => {
  const folders = readdirSync(here, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !NO_NOTIFIERS.includes(entry.name))
    .map(({ name }) => name);
  expect(folders.length).toBe(Object.keys(NOTIFIERS).length);
  for (const name of folders) {
    expect(readFileSync(new URL(`${name}/${name}.test.ts`, here), 'utf8')).toContain('notifierConformance({');
  }
});
