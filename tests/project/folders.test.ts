// Folders of a room: no cycle between them, few enough files to look through, and a README that names each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { rooms } from '../../launcher/check/rooms.js';
import { filesBelow, root } from './source-files.ts';

const FILES_MAX = 25;
/** One file per topic, found by its name. */
const byTopic = new Set(['contract/calls', 'phrases/en', 'phrases/zh-CN']);
const forTests = /\.(test|spec|fake|fixture)\.|\.d\.ts$|\/(fixtures|conformance)\//;
const code = rooms
  .flatMap((room: string) => filesBelow(room, /\.(tsx?|js|cjs)$/))
  .filter(({ name }) => !forTests.test(name));

it('the folders of this tree form no cycle', () => {
  expect(code.length).toBeGreaterThan(800);
  expect(cyclesOf(folderImports(code))).toEqual([]);
});

it('finds a planted cycle', () => {
  const planted = [
    { name: 'server/a/one.ts', text: "import { two } from '../b/two.ts';" },
    { name: 'server/b/two.ts', text: "import type { Three } from '@vedette/server/c/three.ts';" },
    { name: 'server/c/three.ts', text: "const one = () => import('../a/one.ts');" },
    { name: 'server/d/four.ts', text: "import { one } from '../a/one.ts';" },
  ];
  expect(cyclesOf(folderImports(planted))).toEqual([['server/a', 'server/b', 'server/c']]);
});

it(`a folder holds at most ${FILES_MAX} code files`, () => {
  const counts = new Map<string, number>();
  for (const { name } of code) counts.set(path.dirname(name), (counts.get(path.dirname(name)) ?? 0) + 1);
  const large = [...counts].filter(([folder, count]) => count > FILES_MAX && !byTopic.has(folder));
  expect(large).toEqual([]);
});

it.each([...rooms])('the README of %s says what the room holds and names each folder of it', (room: string) => {
  const file = path.join(root, room, 'README.md');
  expect(existsSync(file)).toBe(true);
  const text = readFileSync(file, 'utf8') + (room === 'drivers' ? driversInRegistry() : '');
  expect(text).toMatch(/^# \S+\n\n\S.{20,}/);
  const folders = readdirSync(path.join(root, room), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const unnamed = folders.filter(
    ({ name }) => !['node_modules', 'dist'].includes(name) && !text.includes(`\`${name}/\``),
  );
  expect(unnamed.map(({ name }) => name)).toEqual([]);
});

/** A driver's row names its folder. */
function driversInRegistry(): string {
  const text = readFileSync(path.join(root, 'drivers/registry.ts'), 'utf8');
  return [...text.matchAll(/from '\.\/([^/']+)\//g)].map(([, folder]) => `\`${folder}/\``).join(' ');
}

interface ImportingFile {
  readonly name: string;
  readonly text: string;
}

/** Imports between folders, by the importing folder. */
function folderImports(files: readonly ImportingFile[]): Map<string, Set<string>> {
  const known = new Set(files.map(({ name }) => name));
  const imports = new Map<string, Set<string>>();
  for (const { name, text } of files) {
    for (const [, from, dynamic] of text.matchAll(/\bfrom\s+'([^']+)'|\bimport\(\s*'([^']+)'/g)) {
      const specifier = from ?? dynamic ?? '';
      const target = specifier.startsWith('@vedette/')
        ? specifier.slice('@vedette/'.length)
        : path.join(path.dirname(name), specifier);
      const [here, there] = [path.dirname(name), path.dirname(target)];
      if (!known.has(target) || here === there) continue;
      imports.set(here, (imports.get(here) ?? new Set()).add(there));
    }
  }
  return imports;
}

/** Groups of folders that reach each other, each sorted. */
function cyclesOf(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reachable = new Map([...imports.keys()].map((folder) => [folder, reachableFrom(folder, imports)]));
  const groups = [...imports.keys()]
    .filter((folder) => reachable.get(folder)?.has(folder))
    .map((folder) => [...(reachable.get(folder) ?? [])].filter((other) => reachable.get(other)?.has(folder)).sort());
  return [...new Map(groups.map((group) => [group.join(), group])).values()];
}

function reachableFrom(start: string, imports: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const found = new Set<string>();
  const open = [start];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const next of imports.get(folder) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return found;
}
