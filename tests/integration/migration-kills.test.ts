// The database is migrated from 0.1.0 by processes that are killed at each step, and goes back by one version.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listMigrations, migrate } from '../../server/database/migrate.ts';
import { startTestDatabase, type TestDatabase } from '../contract/test-database.ts';
import { KeptDataFolder } from '../harness/kept-data-folder.ts';
import { readSchema } from '../harness/read-schema.ts';

const SCRIPT = new URL('../harness/main-migrate-and-die.ts', import.meta.url).pathname;
/** Those of one file: begin, its text, its row, commit. */
const QUERIES_EACH = 4;

let postgres: TestDatabase;
let kept: KeptDataFolder;
/** Of a database that was never interrupted. */
let wanted: string[];

beforeAll(async () => {
  postgres = await startTestDatabase();
  kept = new KeptDataFolder('data-0.1.0');
  await withDatabase('old', null, async (pool) => {
    await pool.query(kept.schemaSql);
    await pool.query(kept.rowsSql);
  });
  wanted = await withDatabase('whole', 'old', async (pool) => {
    await migrate(pool);
    return await readSchema(pool);
  });
});
afterAll(async () => {
  await postgres?.stop();
  kept?.remove();
});

const urlOf = (name: string): string => postgres.url.replace('/vedette?', `/${name}?`);

async function withDatabase<T>(name: string, template: string | null, look: (pool: pg.Pool) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: postgres.url });
  await admin.connect();
  await admin.query(`create database ${name} ${template === null ? '' : `template ${template}`}`);
  await admin.end();
  const pool = new pg.Pool({ connectionString: urlOf(name) });
  // A connection that is being ended may still hear that the server stops.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    return await look(pool);
  } finally {
    await pool.end();
  }
}

async function migrateAndDie(name: string, step: number, moment: 'before' | 'sent'): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [SCRIPT, urlOf(name), String(step), moment], { stdio: 'ignore' });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (signal === null && code !== 0) throw new Error(`the migration ended with ${code}`);
  return signal;
}

async function doneIn(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from migration order by name');
  return rows.map(({ name }) => name);
}

it('[FT-50] killed at each step, the database is that of a version before or after, and goes on from there', async () => {
  const files = listMigrations();
  const pending = await withDatabase('asked', 'old', async (pool) => {
    const done = await doneIn(pool);
    return files.filter((name) => !done.includes(name));
  });
  expect(pending.length).toBeGreaterThan(5);
  let kills = 0;
  // Six queries come before the first file.
  for (let step = 0; step < 6 + pending.length * QUERIES_EACH; step += 1) {
    const moment = step % 2 === 0 ? 'before' : 'sent';
    const name = `killed_${step}`;
    await withDatabase(name, 'old', async (pool) => {
      if ((await migrateAndDie(name, step, moment)) === 'SIGKILL') kills += 1;
      // The lock of the dead one is free once PostgreSQL has noticed; whole files alone count.
      const ran = await migrate(pool);
      const done = await doneIn(pool);
      expect(done, `step ${step}`).toEqual(files);
      expect(pending.slice(pending.length - ran.length)).toEqual(ran);
      expect(await readSchema(pool), `step ${step}`).toEqual(wanted);
    });
  }
  expect(kills).toBeGreaterThan(pending.length * QUERIES_EACH);
}, 400_000);

it('works with a database that a newer version has only added to, and refuses any other', async () => {
  await withDatabase('newer', 'whole', async (pool) => {
    await pool.query('create table later_thing (id text primary key)');
    await pool.query("insert into migration (name, is_additive) values ('9998_later_things.sql', true)");
    expect(await migrate(pool)).toEqual([]);
    await pool.query("insert into migration (name, is_additive) values ('9999_moved_things.sql', false)");
    await expect(migrate(pool)).rejects.toThrow('a newer version (it knows 9999_moved_things.sql)');
  });
});
