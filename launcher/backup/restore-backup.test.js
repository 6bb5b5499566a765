// Restore where root may create no user namespace: PostgreSQL runs as nobody, and gets into the folder that was made for it.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderStore } from '../backup-store/folder-store.js';
import { root } from '../bootstrap/install.js';
import { findPostgres } from '../postgres/binaries.js';
import { openCluster } from '../postgres/cluster.js';
import { makeBackup } from './make-backup.js';
import { restoreBackup } from './restore-backup.js';

const isRoot = process.getuid?.() === 0;
let home = '';

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'vedette-restored-'));
  fs.chmodSync(home, 0o711);
});
afterEach(() => fs.rmSync(home, { recursive: true }));

/**
 * @template T
 * @param {string} data
 * @param {(place: { client: pg.Client, socketFolder: string }) => Promise<T>} work
 */
async function withCluster(data, work) {
  const run = fs.mkdtempSync(path.join(home, 'run-'));
  const {
    url,
    socketFolder,
    start,
    process: supervised,
  } = openCluster({
    programs: findPostgres(root, { allowNamespace: false }),
    clusterFolder: path.join(data, 'postgres'),
    runFolder: run,
    log: () => undefined,
    onPid: () => undefined,
    stopping: new AbortController().signal,
  });
  await start();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work({ client, socketFolder });
  } finally {
    await client.end();
    await supervised.end();
  }
}

it.runIf(isRoot)(
  'brings back a row that was stored before the backup',
  async () => {
    const programs = findPostgres(root, { allowNamespace: false });
    const [data, into, key] = [path.join(home, 'data'), path.join(home, 'restored'), randomBytes(32)];
    fs.mkdirSync(data, { mode: 0o700 });
    const from = await withCluster(data, async ({ client, socketFolder }) => {
      await client.query("create table kept as select 'a row' as text");
      const database = { socketFolder, owner: programs.owner };
      const order = {
        data,
        store: new FolderStore(path.join(home, 'backups')),
        key,
        version: '1',
        migration: '0001_first.sql',
        database,
      };
      return await makeBackup(order);
    });
    const masterKey = 'ab'.repeat(32);
    const migrations = ['0001_first.sql'];
    await restoreBackup({ from, data: into, masterKey, key, migrations, programs, to: 'backup' });
    expect(fs.statSync(path.join(into, 'postgres')).uid).toBe(programs.owner);
    const rows = await withCluster(into, async ({ client }) => (await client.query('select text from kept')).rows);
    expect(rows).toEqual([{ text: 'a row' }]);
  },
  60_000,
);
