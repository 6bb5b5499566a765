// Branches that real processes took, as Node writes them, and those of Vitest, added up and judged by room.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { coverageTable, judgeRooms, untakenBranches } from './coverage-table.js';
import { addBranches, branchesOfFile } from './file-branches.js';
import { isMeasured, measuredRooms } from './coverage-goals.js';
import { coverageFolders, mergeEndedProcesses, readCoverage } from './read-coverage.js';

/** The types before each branch move nothing: they are replaced by blanks. */
const source = `interface Named { readonly name: string }
export function sizeOf(count: number, isLarge: boolean = count > 9): string {
  if (isLarge) return 'large';
  return count > 4 || (count as number) < 0 ? 'odd' : 'small';
}
const [, , ...given] = process.argv;
for (const word of given as readonly string[]) sizeOf(Number(word));
`;

/** @type {string} */
let root;
/** @type {string} */
let folder;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-coverage-')));
  folder = path.join(root, '.coverage');
  fs.mkdirSync(path.join(root, 'rules'));
  fs.writeFileSync(path.join(root, 'package.json'), '{ "type": "module" }');
  fs.writeFileSync(path.join(root, 'rules', 'size.ts'), source);
  fs.writeFileSync(path.join(root, 'rules', 'never-loaded.ts'), 'export const one = (a: number) => (a > 1 ? 1 : 2);\n');
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

/** @param {string[]} words */
function runWith(...words) {
  const { processes } = coverageFolders(folder);
  const file = path.join(root, 'rules', 'size.ts');
  const { status } = spawnSync(process.execPath, [file, ...words], {
    env: { PATH: process.env['PATH'], NODE_V8_COVERAGE: processes },
  });
  expect(status).toBe(0);
}

const measure = () => readCoverage(folder, { root, files: ['rules/size.ts', 'rules/never-loaded.ts', 'README.md'] });

/** @param {Map<string, import('./file-branches.js').Branch[]>} files */
const waysTaken = (files) =>
  (files.get('rules/size.ts') ?? []).map(({ line, kind, counts }) => [line, kind, counts.map((count) => count > 0)]);

describe('readCoverage', () => {
  it('adds up what processes took, from their TypeScript, suite by suite', async () => {
    runWith('20');
    mergeEndedProcesses(folder, root);
    expect(fs.existsSync(coverageFolders(folder).processes)).toBe(false);
    const first = await measure();
    expect(waysTaken(first)).toContainEqual([3, 'if', [true, false]]);
    runWith('1');
    runWith('5');
    mergeEndedProcesses(folder, root);
    const both = await measure();
    expect(waysTaken(both)).toContainEqual([3, 'if', [true, true]]);
    expect(waysTaken(both)).toContainEqual([4, 'cond-expr', [true, true]]);
  });

  it('lists the branches of a file that nothing loaded as not taken', async () => {
    expect(untakenBranches(await measure())).toContain('rules/never-loaded.ts:1 cond-expr, way 1, 2 of 2');
  });

  it('reads past the file of a process that was killed while it wrote', async () => {
    runWith('20');
    fs.writeFileSync(path.join(coverageFolders(folder).processes, 'coverage-1-1-0.json'), '{"result":[{"scriptId"');
    mergeEndedProcesses(folder, root);
    expect(waysTaken(await measure())).toContainEqual([3, 'if', [true, false]]);
  });

  it('adds what Vitest measured in its own processes, and refuses it for another text', async () => {
    const file = path.join(root, 'rules', 'never-loaded.ts');
    const report = path.join(coverageFolders(folder).suites, 'unit', 'branches.json');
    fs.mkdirSync(path.dirname(report), { recursive: true });
    // A source map gives other columns than the text: the order counts.
    const loc = { start: { line: 1, column: 3 } };
    const write = (/** @type {string} */ type) =>
      fs.writeFileSync(report, JSON.stringify({ [file]: { branchMap: { 0: { type, loc } }, b: { 0: [0, 7] } } }));
    write('cond-expr');
    expect(untakenBranches(await measure())).toContain('rules/never-loaded.ts:1 cond-expr, way 1 of 2');
    write('if');
    await expect(measure()).rejects.toThrow('run the tests again');
  });
});

describe('branches', () => {
  it('are those of two measurements of one text, or nothing is added', async () => {
    const list = () => branchesOfFile({ file: '/a.ts', text: source, functions: [] });
    const [one, two] = [await list(), await list()];
    two[0]?.counts.fill(3);
    expect(addBranches(one, two)).toBe(true);
    expect(one[0]?.counts).toEqual(two[0]?.counts);
    expect(addBranches(one, two.slice(1))).toBe(false);
  });
});

describe('judgeRooms', () => {
  const rooms = [{ name: 'rules', files: /^rules\//, least: 95 }];
  const files = (/** @type {number} */ taken) =>
    new Map([
      ['rules/a.ts', [{ line: 1, kind: 'if', counts: Array.from({ length: 1000 }, (_, at) => Number(at < taken)) }]],
    ]);

  it('rounds down, so that almost enough is red', () => {
    expect(judgeRooms(files(949), rooms)[0]).toMatchObject({ percent: 94.9, isLow: true });
    expect(judgeRooms(files(950), rooms)[0]).toMatchObject({ percent: 95, isLow: false });
  });

  it('names what is red, but not in a part of the suites', () => {
    expect(coverageTable(judgeRooms(files(1), rooms), true)).toMatch(/^RED {3}rules/m);
    expect(coverageTable(judgeRooms(files(1), rooms), false)).not.toMatch(/RED|green/);
  });

  it('takes a room without files as red', () => {
    expect(judgeRooms(new Map(), rooms)[0]).toMatchObject({ isLow: true });
  });
});

describe('isMeasured', () => {
  it.each(['rules/decide.ts', 'launcher/start.js', 'console/calls/caller.ts'])('measures %s', (file) => {
    expect(isMeasured(file)).toBe(true);
  });

  it.each([
    'rules/decide.test.ts',
    'player/audio/audio-output.fake.ts',
    'console/screens/login/login-screen.tsx',
    'console/ui/css.d.ts',
    'tests/harness/launch.ts',
    'server/database/schema.sql',
  ])('leaves out %s', (file) => {
    expect(isMeasured(file)).toBe(false);
  });

  it('has a least and perhaps a higher goal for each room', () => {
    expect(measuredRooms.filter(({ least, goal = 100 }) => least <= 0 || goal <= least)).toEqual([]);
  });
});
