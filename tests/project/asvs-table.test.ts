// ASVS table of docs/security.md: complete, each line answered with a reason, named files exist; and two rules for sources.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow, root } from './source-files.ts';

const page = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
const cells = page.split('\n').map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
const lines = cells.filter(([id = '']) => /^\d+\.\d+\.\d+$/.test(id));
/** Requirements of levels 1 and 2 by chapter (OWASP ASVS 5.0.0). */
const OF_CHAPTER = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7] as const;
const ANSWERS = ['met', 'partly', 'exception', 'n/a'] as const;

it('has each of the 253 requirements of levels 1 and 2 once', () => {
  const ids = lines.map(([id = '']) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(253);
  const counts = OF_CHAPTER.map((_, at) => ids.filter((id) => id.startsWith(`${at + 1}.`)).length);
  expect(counts).toEqual(OF_CHAPTER);
});

it('answers each line, with the proof or the reason', () => {
  for (const [id, level = '', what = '', answer = '', why = ''] of lines) {
    expect(['1', '2'], id).toContain(level);
    expect(ANSWERS, id).toContain(answer);
    expect(what.length * why.length, id).toBeGreaterThan(0);
  }
});

it('states the true number of lines per answer', () => {
  const count = (wanted: string) => lines.filter(([, , , answer]) => answer === wanted).length;
  const [met, partly, exception, none] = ANSWERS.map(count);
  expect(page).toContain(
    `Of 253 lines ${met} are met, ${partly} partly, ${exception} are exceptions with their reason, ${none} do not apply.`,
  );
});

it('names existing files', () => {
  const names = new Set(filesBelow('.', /\.(ts|tsx|js)$/).map(({ name }) => path.basename(name)));
  const named = ['docs/security.md', 'docs/requirements/abuse-cases.md'].flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(/`([\w.-]+\.(?:test|spec)\.\w+)`/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !names.has(name))).toEqual([]);
});

/** Of what runs in production: no tests, and nothing that makes pictures for them. */
const sources = filesBelow(
  '.',
  /^(foundation|server|site|media|drivers|protocols|console|player|rules|contract)\/.*\.(ts|tsx)$/,
).filter(({ name }) => !/\.(test|spec|fake|fixture)\.|\/testing\//.test(name));

it('[SE-87] no source sets HTML built from strings', () => {
  const marks = /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write\(/;
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter(({ text }) => marks.test(text)).map(({ name }) => name)).toEqual([]);
});

it('unguessable randomness comes from node:crypto, in the folder that owns it', () => {
  const loose = sources.filter(
    ({ name, text }) => /^(foundation|server|site)\//.test(name) && /Math\.random/.test(text),
  );
  expect(loose.map(({ name }) => name)).toEqual(['foundation/random/random-numbers.ts']);
});
