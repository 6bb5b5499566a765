// What exists only for tests is named so: nothing that ships may hold code that only tests use.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooms } from '../../launcher/check/rooms.js';
import { filesOf, usersOfFiles } from '../../launcher/test/affected-tests.js';
import { root } from './source-files.ts';

/** Also suites that a new driver is held to, and captured answers. */
const ofTests = /\.(test|spec|fake|fixture)\.[tj]sx?$|\/(conformance|fixtures)\/|^(tests|bench|docs)\//;
/** What is started by its name: nothing has to import it. */
const entry = /(^|\/)main-[^/]+$|^launcher\/[^/]+\.js$|\.d\.ts$|\.config\.ts$|\/public\//;
const code = /\.(tsx?|jsx?|cjs)$/;
const exceptions = new Map([['drivers/support-table.ts', 'documentation: makes the table of docs/devices.md']]);

type Users = ReadonlyMap<string, readonly string[]>;

/** Files of rooms that only tests use, directly or through such files, without being named so. */
function unnamedDoubles(files: readonly string[], users: Users): string[] {
  const judged = files.filter((file) => code.test(file) && isInRoom(file) && !ofTests.test(file) && !entry.test(file));
  const forTests = new Set(files.filter((file) => ofTests.test(file)));
  for (let before = -1; before !== forTests.size; ) {
    before = forTests.size;
    for (const file of judged) {
      const by = (users.get(file) ?? []).filter((user) => code.test(user));
      if (by.length > 0 && by.every((user) => forTests.has(user))) forTests.add(file);
    }
  }
  return judged.filter((file) => forTests.has(file) && !exceptions.has(file));
}

function isInRoom(file: string): boolean {
  return rooms.includes(file.split('/')[0] ?? '');
}

describe('test doubles', () => {
  const files = filesOf(root);
  const users = usersOfFiles(files, (file: string) => readFileSync(path.join(root, file), 'utf8'));

  it('a file of a room that only tests use is named *.fake.ts', () => {
    expect(files.filter(isInRoom).length).toBeGreaterThan(1000);
    expect(unnamedDoubles(files, users), 'name it *.fake.ts, or move it to tests/').toEqual([]);
  });

  it('a listed exception is still one', () => {
    expect([...exceptions.keys()].filter((file) => !files.includes(file))).toEqual([]);
  });

  it('finds a planted one, and one behind it', () => {
    const planted = ['site/site.test.ts', 'site/scripted.ts', 'site/words.ts', 'site/read.ts', 'site/main-site.ts'];
    const by = new Map([
      ['site/scripted.ts', ['site/site.test.ts']],
      ['site/words.ts', ['site/scripted.ts']],
      ['site/read.ts', ['site/site.test.ts', 'site/main-site.ts']],
    ]);
    expect(unnamedDoubles(planted, by)).toEqual(['site/scripted.ts', 'site/words.ts']);
  });
});
