// Tests of the choice of tests that a change can break.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../bootstrap/install.js';
import { affectedTests, filesOf, usersOfFiles } from './affected-tests.js';

/** @type {Record<string, string>} */
const tree = {
  'rules/decide.ts': '',
  'rules/decide.test.ts': "import { decide } from './decide.ts';",
  'server/main-server.ts': "import { decide } from '@vedette/rules/decide.ts';",
  'server/database/migrate.ts': '',
  'server/database/migrate.test.ts': "import { migrate } from './migrate.ts';",
  'server/database/migrations/0001.sql': '',
  'site/main-site.ts': '',
  'tests/contract/server-under-test.ts': "new URL('../../server/main-server.ts', import.meta.url)",
  'tests/contract/sign-in.test.ts': "import { x } from './server-under-test.ts';",
  'tests/integration/ingest.test.ts': "spawn('site/main-site.ts')",
  'console/index.html': '<script src="/app/main-web.tsx"></script>',
  'console/app/main-web.tsx': '',
  'launcher/installation/console-build.js': "path.join(root, 'console', 'index.html')",
  'tests/browser/login.spec.ts': "import { build } from '../../launcher/installation/console-build.js';",
};

const treeFiles = Object.keys(tree);
const treeUsers = usersOfFiles(treeFiles, (file) => tree[file] ?? '');
/** @param {string[]} changed */
const affected = (...changed) => affectedTests({ files: treeFiles, changed, users: treeUsers });

describe('affectedTests', () => {
  it('finds tests by imports, and by the programs that their helpers start', () => {
    expect(affected('rules/decide.ts')).toEqual(['rules/decide.test.ts', 'tests/contract/sign-in.test.ts']);
    expect(affected('site/main-site.ts')).toEqual(['tests/integration/ingest.test.ts']);
  });

  it('finds tests by the scripts of a page', () => {
    expect(affected('console/app/main-web.tsx')).toEqual(['tests/browser/login.spec.ts']);
  });

  it('takes a file that no code names as part of the code beside or above it', () => {
    expect(affected('server/database/migrations/0001.sql')).toEqual(['server/database/migrate.test.ts']);
  });

  it('names a changed test itself, and no test that was deleted', () => {
    expect(affected('rules/decide.test.ts')).toEqual(['rules/decide.test.ts']);
    expect(affected('rules/gone.test.ts')).toEqual([]);
  });

  it('answers null where packages or settings of all tests changed', () => {
    expect(affected('package-lock.json', 'rules/decide.ts')).toBeNull();
  });

  it('reaches the suites of this tree from the rooms that they start', () => {
    const files = filesOf(root);
    const users = usersOfFiles(files, (file) => fs.readFileSync(path.join(root, file), 'utf8'));
    const of = (/** @type {string} */ file) => affectedTests({ files, changed: [file], users }) ?? [];
    expect(of('server/main-server.ts')).toEqual(
      expect.arrayContaining(['tests/contract/sign-in.test.ts', 'tests/browser/login.spec.ts']),
    );
    expect(of('site/main-site.ts')).toEqual(
      expect.arrayContaining(['tests/faults/site-kill.test.ts', 'tests/browser/live.spec.ts']),
    );
    expect(of('console/screens/login/login-screen.tsx')).toEqual(
      expect.arrayContaining(['tests/browser/login.spec.ts']),
    );
    expect(of('console/screens/login/login-screen.tsx').filter((name) => name.startsWith('tests/contract/'))).toEqual(
      [],
    );
    expect(of('virtual-devices/main-virtual-devices.js')).toEqual(
      expect.arrayContaining(['tests/browser/live.spec.ts']),
    );
  });
});
