// Change of the master key in the database: every sealed value, once, in one transaction, killed at any moment, and beside other servers.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEALED_COLUMNS } from '../../server/master-key/sealed-columns.ts';
import { SealedRows } from '../harness/sealed-rows.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ServerUnderTest } from './server-under-test.ts';

const PROGRAM = new URL('../../server/main-reseal.ts', import.meta.url).pathname;
const SETTINGS = 3;
const PER_COLUMN = 40;

let server: ServerUnderTest;
let client: pg.Client;
let sealed: SealedRows;
/** The key that the database has now. */
let current: string;

const newKey = () => randomBytes(32).toString('hex');

beforeAll(async () => {
  server = await ServerUnderTest.start();
  current = server.masterKey;
  client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  sealed = new SealedRows(client);
});

afterAll(async () => {
  await client?.end();
  await server?.stop();
});

function begin(to: string, { from = current, args = [] }: { from?: string; args?: readonly string[] } = {}) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, ...args], {
    env: {
      PATH: process.env['PATH'],
      VEDETTE_DATA: server.dataFolder,
      DATABASE_URL: server.database.url,
      VEDETTE_KEY: from,
      VEDETTE_NEW_KEY: to,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(([out, said]) => ({
    answer: out === '' ? null : (JSON.parse(out) as Record<string, unknown>),
    said,
  }));
  return { child, ended };
}

it('is refused while a server is connected, which would go on with the old key', async () => {
  const { answer, said } = await begin(newKey()).ended;
  expect(answer, said).toMatchObject({ event: 'failed', code: 'serversConnected' });
  await server.end();
});

it('seals every value of every column and setting anew, and none twice', async () => {
  await sealed.add(current, PER_COLUMN);
  const total = SEALED_COLUMNS.length * PER_COLUMN + SETTINGS;
  const to = newKey();
  expect(await sealed.openedBy([current, to])).toEqual({ total, opened: [total, 0] });
  const tried = await begin(to, { args: ['--check'] }).ended;
  expect(tried.answer, tried.said).toMatchObject({ count: total, unreadable: [] });
  expect(await sealed.openedBy([current, to]), 'a check changes nothing').toEqual({ total, opened: [total, 0] });
  const changed = await begin(to).ended;
  expect(changed.answer, changed.said).toMatchObject({ event: 'resealed', count: total, unreadable: [] });
  expect(await sealed.openedBy([current, to])).toEqual({ total, opened: [0, total] });
  const again = await begin(to).ended;
  expect(again.answer).toMatchObject({ event: 'resealed', count: 0 });
  expect(await sealed.openedBy([current, to])).toEqual({ total, opened: [0, total] });
  current = to;
});

it('leaves every value readable by one and the same key wherever it is killed', async () => {
  await sealed.add(current, PER_COLUMN);
  const lastsMs = await changedIn();
  const found = new Set<string>();
  for (let round = 0; round < 5; round += 1) {
    const to = newKey();
    const { child, ended } = begin(to);
    const timer = setTimeout(() => child.kill('SIGKILL'), (lastsMs * (round + 3)) / 8);
    await ended;
    clearTimeout(timer);
    await noOtherSession();
    const { total, opened } = await sealed.openedBy([current, to]);
    const isChanged = opened[1] === total;
    expect(opened, `round ${round}`).toEqual(isChanged ? [0, total] : [total, 0]);
    found.add(isChanged ? 'new' : 'old');
    const finished = await begin(to).ended;
    expect(finished.answer, finished.said).toMatchObject({ event: 'resealed', unreadable: [] });
    expect((await sealed.openedBy([current, to])).opened).toEqual([0, total]);
    current = to;
  }
  expect(found.has('old'), 'some were killed before the end').toBe(true);
});

it('names a value that was damaged before, and takes no other key for the old one', async () => {
  await client.query(`update second_factor set secret = '\\x01ff' where account_id = 'row 3'`);
  const tried = await begin(newKey(), { args: ['--check'] }).ended;
  expect(tried.answer, tried.said).toMatchObject({ unreadable: ['second_factor.secret row 3'] });
  const { answer } = await begin(newKey(), { from: newKey() }).ended;
  expect(answer).toMatchObject({ event: 'failed', code: 'otherMasterKey' });
});

it('keeps a server with the old key from starting, in plain words', async () => {
  await expect(server.run()).rejects.toThrow(/otherMasterKey.*sealed with the master key [0-9a-f]{8}/s);
  await server.end('SIGKILL');
  // The same database with the key that it has.
  const other = await ServerUnderTest.over(server.database, { VEDETTE_KEY: current });
  await other.end();
  const { rows } = await client.query(`select value from setting where name = 'master-key'`);
  expect(JSON.stringify(rows), 'the keys lie in it sealed').not.toContain(server.masterKey);
});

/** A whole change with another key; answers how long it took, ms. */
async function changedIn(): Promise<number> {
  const begun = performance.now();
  const to = newKey();
  const { answer, said } = await begin(to).ended;
  expect(answer, said).toMatchObject({ event: 'resealed' });
  current = to;
  return performance.now() - begun;
}

/** PostgreSQL has noticed that the killed program is gone, and taken its transaction back. */
async function noOtherSession(): Promise<void> {
  await waitFor('the killed session to end', async () => {
    const { rows } = await client.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return rows.length === 0;
  });
}
