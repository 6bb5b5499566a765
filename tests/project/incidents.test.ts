// Each incident of docs/requirements/incidents.md is named in the titles of the tests that would be red.
import { expect, it } from 'vitest';
import { filesBelow, sources } from './source-files.ts';

const HEADER = '| incident | what happened | test |';

const lines = (filesBelow('docs/requirements', /incidents\.md$/)[0]?.text ?? '').split('\n');
const rows = lines
  .slice(lines.indexOf(HEADER) + 2)
  .filter((line) => line.startsWith('|'))
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
