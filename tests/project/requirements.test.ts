// Ids in test titles and the tables of docs/requirements agree: what is done is named by a test, what is absent by none.
import { expect, it } from 'vitest';
import { requirements } from './requirement-tables.ts';
import { filesBelow, testFiles } from './source-files.ts';

const table = requirements();
const ids = table.map(({ id }) => id);
const named = new Map<string, string>();
for (const { name, text } of testFiles())
  for (const [, id = ''] of text.matchAll(/\[([A-Z]{2}-\d{2,3})\]/g)) named.set(id, name);
const withStatus = (wanted: string) => table.filter(({ status }) => status === wanted).map(({ id }) => id);

it('each id has a line of its own, with one sentence, a status, and a reason where something is missing', () => {
  expect(table.length).toBeGreaterThan(300);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  for (const { id, sentence, status, reason } of table) {
    expect(id, sentence).toMatch(/^[A-Z]{2}-\d{2,3}$/);
    expect(sentence, id).toMatch(/^[A-Z\d`].*[^.]\.$/);
    expect(sentence, id).not.toMatch(/\. [A-Z]/);
    expect(['done', 'partly', 'absent'], id).toContain(status);
    expect(reason.length > 0, `${id}: a reason for what is missing alone`).toBe(status !== 'done');
  }
  const counts = ['done', 'partly', 'absent'].map((status) => `${withStatus(status).length} ${status}`);
  process.stdout.write(`requirements: ${counts.join(', ')}\n`);
});

it('each id in the title of a test stands in docs/requirements', () => {
  expect([...named].filter(([id]) => !ids.includes(id)).map((pair) => pair.join(' in '))).toEqual([]);
});

it('what is done is named by a test', () => {
  expect(
    withStatus('done').filter((id) => !named.has(id)),
    'put [ID] into the title of the test that proves it',
  ).toEqual([]);
});

it('what is absent is named by none', () => {
  expect(withStatus('absent').flatMap((id) => (named.has(id) ? `${id} in ${named.get(id)}` : []))).toEqual([]);
});

it('each id of the details of abuse cases stands in the tables', () => {
  const details = filesBelow('docs/requirements', /^docs\/requirements\/abuse-cases\.md$/)[0]?.text ?? '';
  const unknown = [...details.matchAll(/\b(?:SE|FT)-\d{2,3}\b/g)].map(([id]) => id).filter((id) => !ids.includes(id));
  expect(unknown).toEqual([]);
});
