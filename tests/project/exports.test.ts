// What rooms export: an import of a private file of another room fails, no relative path leads around the list, and nothing is listed that nobody imports.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooms } from '../../launcher/check/rooms.js';
import { filesBelow, root, type SourceFile } from './source-files.ts';

/** For the tests of all rooms, which run its suites. */
const FOR_TESTS = ['drivers/testing/*.ts'];
const testFile = /\.(test|spec|fixture|fake|test-d|bench)\.[tj]sx?$/;
const packages = rooms.filter((room: string) => room !== 'launcher') as readonly string[];
const shipped = packages.flatMap((room) => filesBelow(room, /\.[tj]sx?$/)).filter(({ name }) => !testFile.test(name));

function exportsOf(room: string): string[] {
  const { exports } = JSON.parse(readFileSync(path.join(root, room, 'package.json'), 'utf8')) as { exports: object };
  return Object.keys(exports);
}

/** Files of other rooms, by the name of the package: `media/stream/hub.ts`. */
function importedByName({ name, text }: SourceFile): string[] {
  const found = [...text.matchAll(/'@vedette\/([^']+)'/g)].map(([, file = '']) => file);
  return found.filter((file) => roomOf(file) !== roomOf(name));
}

function importedByPath({ name, text }: SourceFile): string[] {
  const found = [...text.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map(([, file = '']) => file);
  return found.map((file) => path.join(path.dirname(name), file));
}

const roomOf = (file: string): string => file.split('/')[0] ?? '';

describe('an import by the name of a package', () => {
  const { resolve } = createRequire(path.join(root, 'tests/project/exports.test.ts'));

  it.each([
    'server/main-server.ts',
    'site/main-site.ts',
    'console/app/main-console.tsx',
    'virtual-devices/scenario.ts',
    'media/recordings/index-record.ts',
    'drivers/onvif/onvif-driver.ts',
    'player/transports/live-message.ts',
    'contract/package.json',
  ])('%s is private', (file) => {
    expect(() => resolve(`@vedette/${file}`)).toThrow(
      expect.objectContaining({ code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' }),
    );
  });

  it.each(['media/stream/hub.ts', 'drivers/kit/driver.ts', 'contract/calls/calls.ts'])('%s is public', (file) => {
    expect(resolve(`@vedette/${file}`)).toBe(path.join(root, file));
  });
});

it('no room reaches into another by a relative path', () => {
  const around = shipped.flatMap((file) =>
    importedByPath(file)
      .filter((target) => roomOf(target) !== roomOf(file.name))
      .map((target) => `${file.name}: ${target}`),
  );
  expect(around).toEqual([]);
});

it('each room lists only what another imports', () => {
  const used = new Set(shipped.flatMap(importedByName));
  expect(used.size).toBeGreaterThan(100);
  const unused = packages.flatMap((room) =>
    exportsOf(room)
      .map((entry) => path.join(room, entry))
      .filter((entry) => !FOR_TESTS.includes(entry))
      .filter((entry) => {
        const [start = '', end] = entry.split('*');
        return end === undefined
          ? !used.has(entry)
          : ![...used].some((file) => file.startsWith(start) && file.endsWith(end));
      }),
  );
  expect(unused).toEqual([]);
});
