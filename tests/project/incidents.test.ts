// Each incident of docs/requirements/incidents.md is named in the titles of the tests that would be red, and guards that are taken out stand where they are said to.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { INCIDENT_GUARDS } from '../mutation/incident-guards.ts';
import { filesBelow, root, sources } from './source-files.ts';

const HEADER = '| incident | what happened | test |';

const lines = (filesBelow('docs/requirements', /incidents\.md$/)[0]?.text ?? '').split('\n');
const table = lines.slice(lines.indexOf(HEADER) + 2);
const rows = table
  .slice(
    0,
    table.findIndex((line) => !line.startsWith('|')),
  )
  .map((line) => line.slice(2, -2).split(' | '));
const tests = sources()
  .filter(({ name }) => /\.(test|spec)\.|^tests\/abuse\/incidents\//u.test(name))
  .map(({ text }) => text);

it('each row has an incident, a sentence or two, and tests', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((cells) => cells.length !== 3 || !(cells[1] ?? '').endsWith('.'))).toEqual([]);
});

it('each test that is named stands in the title of one', () => {
  const titles = rows.flatMap(([, , named = '']) => named.split(' · '));
  expect(titles.filter((title) => !tests.some((text) => text.includes(title)))).toEqual([]);
});

it('each guard that `npm run mutate:incidents` takes out stands once in its file, and its test has that title', () => {
  const textOf = (name: string): string => readFileSync(`${root}/${name}`, 'utf8');
  const incidents = rows.map(([incident]) => incident);
  for (const { incident, file, guard, test, title } of INCIDENT_GUARDS) {
    expect(incidents).toContain(incident);
    expect([incident, textOf(file).split(guard).length - 1]).toEqual([incident, 1]);
    // Titles that are made of a table have their rows beside the test.
    const named = `${textOf(test)}${tests.join('')}`;
    expect([incident, title.split(' ').every((word) => named.includes(word))]).toEqual([incident, true]);
  }
});
