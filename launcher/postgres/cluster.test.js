// Embedded PostgreSQL where root may create no user namespace: it runs as nobody, from a copy, in a data folder of root.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { root } from '../bootstrap/install.js';
import { findPostgres } from './binaries.js';
import { openCluster } from './cluster.js';

const isRoot = process.getuid?.() === 0;
let folder = '';

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-cluster-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** @param {string} clusterFolder */
function cluster(clusterFolder) {
  return openCluster({
    programs: findPostgres(root, { allowNamespace: false }),
    clusterFolder,
    runFolder: folder,
    log: () => undefined,
    onPid: () => undefined,
    stopping: new AbortController().signal,
  });
}

it.runIf(isRoot)(
  'serves, and keeps what it stored over a restart',
  async () => {
    for (const sql of ["create table kept as select 'a row' as text", 'select text from kept']) {
      const { url, start, process: supervised } = cluster(path.join(folder, 'postgres'));
      await start();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query(sql);
      if (sql.startsWith('select')) expect(rows).toEqual([{ text: 'a row' }]);
      await client.end();
      await supervised.end();
    }
    expect(fs.statSync(path.join(folder, 'postgres')).uid).toBe(65_534);
  },
  30_000,
);

it.runIf(isRoot)('reports when the parent folder is not accessible', async () => {
  const barred = path.join(folder, 'home');
  fs.mkdirSync(path.join(barred, 'data'), { recursive: true, mode: 0o700 });
  await expect(cluster(path.join(barred, 'data', 'postgres')).start()).rejects.toMatchObject({
    code: 'postgresBarred',
  });
});

it('refuses a folder of another major version with what to do, and changes nothing', async () => {
  const old = path.join(folder, 'postgres');
  fs.mkdirSync(old);
  fs.writeFileSync(path.join(old, 'PG_VERSION'), '17\n');
  await expect(cluster(old).start()).rejects.toMatchObject({
    code: 'databaseVersion',
    message: expect.stringContaining('PostgreSQL 17; this release brings 18'),
    hint: expect.stringContaining('database:upgrade'),
  });
  expect(fs.readdirSync(old)).toEqual(['PG_VERSION']);
});
