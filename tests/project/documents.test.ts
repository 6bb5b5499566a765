// Consistency of documents: changelog, licence, list of skips, migration numbers, links.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, root, testFiles } from './source-files.ts';

const read = (name: string) => readFileSync(path.join(root, name), 'utf8');

it('the changelog has a section for unreleased changes', () => {
  expect(read('CHANGELOG.md')).toMatch(/^## Unreleased$/m);
});

it('the licence is Apache 2.0, complete, and named by every package', () => {
  const licence = read('LICENSE');
  for (const part of [
    'Version 2.0, January 2004',
    '9. Accepting Warranty or Additional Liability',
    'END OF TERMS AND CONDITIONS',
  ]) {
    expect(licence).toContain(part);
  }
  for (const { name, text } of filesBelow('.', /(^|\/)package\.json$/)) {
    expect((JSON.parse(text) as { license?: string }).license, name).toBe('Apache-2.0');
  }
});

it('every allowed skip names an existing file and a reason', () => {
  const skips = JSON.parse(read('tests/skips.json')) as { file: string; test: string; reason: string }[];
  for (const { file, test, reason } of skips) {
    expect(existsSync(path.join(root, file)), file).toBe(true);
    expect(test.length * reason.length).toBeGreaterThan(0);
  }
});

it('every suite that reads captured answers is listed among the skips', () => {
  const skips = JSON.parse(read('tests/skips.json')) as { file: string }[];
  const reading = testFiles().filter(({ text }) => /shared\/fixtures.*['`]/.test(text));
  const names = reading.map(({ name }) => name).filter((name) => name !== 'tests/project/documents.test.ts');
  expect(names.length).toBeGreaterThan(4);
  expect(names.filter((name) => !skips.some(({ file }) => file === name))).toEqual([]);
});

it('the list of abuse cases has no duplicates', () => {
  const attacks = read('docs/requirements/abuse-cases.md')
    .split('\n')
    .flatMap((line) => /^(\| (?:SE|FT)-[^|]*\|[^|]*)\|/.exec(line)?.[1] ?? []);
  expect(attacks.filter((attack, at) => attacks.indexOf(attack) !== at)).toEqual([]);
  expect(attacks.length).toBeGreaterThan(40);
});

it('links between documents resolve', () => {
  const dead = filesBelow('.', /\.md$/).flatMap(({ name, text }) => {
    const targets = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map((match) => match[1] ?? '');
    // Pictures of screens are taken by a script from the running product.
    const gone = targets.filter(
      (target) => !target.includes('docs/images/') && !existsSync(path.join(root, path.dirname(name), target)),
    );
    return gone.map((target) => `${name} → ${target}`);
  });
  expect(dead).toEqual([]);
});

it('migrations are numbered without a gap', () => {
  const names = readdirSync(path.join(root, 'server/database/migrations'))
    .filter((name) => /^\d{4}/.test(name))
    .sort();
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
});

it('decisions are numbered without a gap and have a status', () => {
  const names = readdirSync(path.join(root, 'docs/decisions'))
    .filter((name) => name.endsWith('.md'))
    .sort();
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  for (const name of names) expect(read(`docs/decisions/${name}`), name).toMatch(/^Status: /m);
});
