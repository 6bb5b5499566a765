// Project rules for source files: first sentence, meaningful names, no timers in tests, small composition roots, a clean tree.
import { expect, it } from 'vitest';
import { filesBelow, sources, testFiles } from './source-files.ts';

it('reads the project', () => {
  expect(sources().length).toBeGreaterThan(100);
  expect(testFiles().length).toBeGreaterThan(10);
});

it('every source file begins with one sentence about its content', () => {
  const without = sources().filter(({ text }) => !hasFirstSentence(text));
  expect(names(without), 'write `// <one sentence>` on the first line').toEqual([]);
});

function hasFirstSentence(text: string): boolean {
  const [first = '', second = ''] = text.split('\n');
  const line = first.startsWith('#!') ? second : first;
  const words = /^(?:\/\/|#|\/\*\*?|""")\s*(\S.*)$/.exec(line)?.[1]?.split(/\s+/) ?? [];
  return words.length >= 3;
}

it('no file or folder has a meaningless name', () => {
  const empty = /(^|\/)(utils?|helpers?|common|managers?|misc|shared|lib)(\/|\.[^/]+$)/;
  expect(names(sources().filter(({ name }) => empty.test(name))), 'name it after what it owns').toEqual([]);
});

it('files are named in kebab-case, with their role as a suffix', () => {
  const odd = sources().filter(
    ({ name }) =>
      !isPythonModule(name) && !/^(\.?[a-z0-9]+(-[a-z0-9]+)*|zh-CN)(\.[a-z0-9-]+)*$/.test(name.split('/').at(-1) ?? ''),
  );
  expect(names(odd)).toEqual([]);
});

/** Python imports a file by its name, which PEP 8 writes in snake_case. */
function isPythonModule(name: string): boolean {
  return /^integrations\/.*\/(__init__|[a-z]+(_[a-z]+)*)\.py$/.test(name);
}

it('tests wait for conditions, never for time', () => {
  // A timer handed in as the clock of what is tested is fine; a promise that waits for time is not.
  const timer = /\bsleep\(|timers\/promises|Promise\b[^;]{0,120}\bsetTimeout\(/;
  expect(
    names(testFiles().filter(({ text }) => timer.test(text) && !isThisFile(text))),
    'use waitFor or expect.poll',
  ).toEqual([]);
});

it('no test is marked as the only one', () => {
  expect(
    names(testFiles().filter(({ text }) => /\b(it|test|describe)\.only\(/.test(text) && !isThisFile(text))),
  ).toEqual([]);
});

it('a composition file only composes: at most 150 lines of code', () => {
  const code = (text: string) =>
    text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length;
  const mains = filesBelow('.', /(^|\/)main-[^/]+\.(tsx?|js)$/);
  expect(mains.length).toBeGreaterThan(0);
  expect(names(mains.filter(({ text }) => code(text) > 150))).toEqual([]);
});

it('a suppressed type error, lint error or skip gives its reason on the same line', () => {
  const silent = /(@ts-(expect-error|ignore)|(oxlint|eslint|biome)-(disable|ignore)[\w-]*)(?![^\n]*(--|: )\s*\S)/;
  expect(names(sources().filter(({ text }) => silent.test(text) && !isThisFile(text)))).toEqual([]);
});

it('no suppression is written for a tool that does not check', () => {
  // Biome only formats here, and nothing runs ESLint; oxlint itself reports those of its own that suppress nothing.
  const dead = /(biome-ignore|eslint-disable)/;
  expect(names(sources().filter(({ text }) => dead.test(text) && !isThisFile(text))), 'delete it').toEqual([]);
});

it('no file names a machine, a private folder or a package registry', () => {
  const machine = /\/(work|root|home\/\w+)\/(main|shared|brief)\b|\/tmp\/brief|"resolved": "http/;
  const files = filesBelow('.', /\.(tsx?|js|cjs|json|md|css|html|py|sh|sql|svg|yml|npmrc)$|(^|\/)run$/);
  expect(names(files.filter(({ text }) => machine.test(text) && !isThisFile(text)))).toEqual([]);
});

/** The rules themselves spell what they forbid. */
function isThisFile(text: string): boolean {
  return text.startsWith('// Project rules for source files');
}

function names(files: readonly { readonly name: string }[]): string[] {
  return files.map(({ name }) => name);
}
