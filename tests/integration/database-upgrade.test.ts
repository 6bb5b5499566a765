// The database moves onto a PostgreSQL of another major version while the server writes to it: nothing is lost, whenever the command is killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallClient, ServerUnderTest } from '../contract/server-under-test.ts';
import { type OwnDatabase, startTestDatabase } from '../contract/test-database.ts';
import { hasOtherPostgres, type OtherPostgres, startOtherPostgres } from '../harness/other-postgres.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const ROWS = 100_000;
/** What the command says, in this order. */
const STEPS = [
  'the tables are made',
  'the copy has begun',
  'pausing changes',
  'the last one has arrived',
  'both databases hold the same',
];
/** Of an upgrade, in either database. */
const TRACES = `select pubname from pg_publication union all select subname from pg_subscription
  union all select slot_name from pg_replication_slots union all select relname from pg_class where relreplident = 'f'
  union all select nspname from pg_namespace where nspname like 'vedette%'`;

interface Ended {
  readonly code: number | null;
  readonly answer: { readonly pausedMs: number; readonly rows: number; readonly tables: number } | null;
  readonly said: string;
}

/** `killAt`: killed as soon as it says so. */
async function upgrade(from: string, args: readonly string[], killAt?: string): Promise<Ended> {
  const child = spawn(process.execPath, [join(ROOT, 'launcher', 'main-database-upgrade.js'), ...args], {
    env: { ...process.env, DATABASE_URL: from },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let said = '';
  child.stdout.on('data', (text) => (out += text));
  child.stderr.on('data', (text) => {
    said += text;
    if (killAt !== undefined && said.includes(killAt)) child.kill('SIGKILL');
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, answer: out === '' ? null : JSON.parse(out), said };
}

async function sql(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

const countOf = async (url: string, table: string) =>
  Number((await sql(url, `select count(*) as n from ${table}`)).rows[0].n);

describe.skipIf(!hasOtherPostgres)('from PostgreSQL 15 into the embedded one', () => {
  let old: OtherPostgres;
  let next: OwnDatabase;
  let server: ServerUnderTest<OtherPostgres>;
  let operator: CallClient;
  let acknowledged = 0;
  let refused = 0;
  const others: number[] = [];

  beforeAll(async () => {
    [old, next] = await Promise.all([startOtherPostgres(), startTestDatabase()]);
    server = await ServerUnderTest.over(old);
    operator = await server.setUp();
    await sql(old.url, `insert into revocation (at, reason) select g, md5(g::text) from generate_series(1, ${ROWS}) g`);
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await next?.stop();
  });

  /** Saves settings one after the other until it is told to end; each saved one is in the row and in the audit log. */
  async function write(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      const seen = await operator.call('system/config/get', {});
      if (seen.code !== 200 || seen.data === null) {
        others.push(seen.code);
        continue;
      }
      const { config, version } = seen.data;
      const storage = { ...config.storage, retentionDays: 1 + ((acknowledged + 1) % 3000) };
      const { code } = await operator.call('system/config/set', { version, config: { ...config, storage } });
      if (code === 200) acknowledged += 1;
      else if (code === 1012) refused += 1;
      else others.push(code);
    }
  }

  it('says what it would do, and changes nothing', async () => {
    const { code, said } = await upgrade(old.url, ['--to', next.url, '--dry-run']);
    expect(said).toContain('from PostgreSQL 15 to 18');
    expect(code, said).toBe(0);
    expect(said).toContain('nothing was changed');
    expect((await sql(next.url, "select 1 from pg_class where relname = 'migration'")).rowCount).toBe(0);
  });

  it('goes on wherever it was killed, and is taken back: the old one takes changes again', async () => {
    for (const step of STEPS.slice(0, -1)) {
      const { code, said } = await upgrade(old.url, ['--to', next.url], step);
      expect([step, code], said).toEqual([step, null]);
    }
    const { config, version } = await operator.ok('system/config/get', {});
    expect((await operator.call('system/config/set', { version, config })).code).toBe(1012);
    expect((await upgrade(old.url, ['--to', next.url, '--back'])).code).toBe(0);
    expect((await sql(old.url, TRACES)).rows).toEqual([]);
    await waitFor(
      'changes to be taken again',
      async () => (await operator.call('system/config/set', { version, config })).code !== 1012,
    );
    expect((await upgrade(old.url, ['--to', next.url])).said).toContain('not empty');
    await sql(next.url, 'drop schema public cascade; create schema public');
  }, 120_000);

  it('ends what it was killed in after everything had moved', async () => {
    await upgrade(old.url, ['--to', next.url], 'pausing changes');
    // What tidies up waits for this lock.
    const holder = new pg.Client({ connectionString: next.url });
    await holder.connect();
    await holder.query('begin; lock table pg_subscription in share mode');
    const killed = await upgrade(old.url, ['--to', next.url], STEPS.at(-1));
    await holder.end();
    expect(killed.code, killed.said).toBe(null);
    const { code, said } = await upgrade(old.url, ['--to', next.url]);
    expect(code, said).toBe(0);
    expect((await sql(next.url, TRACES)).rows).toEqual([]);
    expect((await upgrade(old.url, ['--to', next.url, '--back'])).code).toBe(0);
    await sql(next.url, 'drop schema public cascade; create schema public');
  }, 60_000);

  it('takes along all that is written meanwhile, with sequences, and leaves the old one closed', async () => {
    const end = new AbortController();
    const writing = write(end.signal);
    const day = upgrade(old.url, ['--to', next.url]);
    await waitFor(
      'the copy to begin',
      async () => (await sql(old.url, 'select 1 from pg_replication_slots')).rowCount !== 0,
    );
    // A table without a primary key.
    await sql(old.url, 'delete from lost_share');
    await sql(old.url, 'create table alarm_of_a_new_day partition of alarm for values from (1) to (100)');
    await sql(
      old.url,
      `insert into alarm (start_time, alarm_id, owner_id, device_id, channel_no, type, severity, topic, source, data)
       values (5, '5', 'a', 'b', 0, 'Motion', 1, '', '{}', '{}')`,
    );
    const { code, answer, said } = await day;
    await waitFor('changes to be refused', () => refused > 0);
    end.abort();
    await writing;
    expect(code, said).toBe(0);
    expect(said).toContain('Restart Vedette now');
    process.stdout.write(
      `${JSON.stringify({ measured: 'database-upgrade', acknowledged, refused, others, ...answer })}\n`,
    );
    expect(acknowledged).toBeGreaterThan(5);
    expect(answer?.rows).toBeGreaterThan(ROWS);
    expect(await countOf(next.url, 'revocation')).toBe(await countOf(old.url, 'revocation'));
    expect(await countOf(next.url, 'alarm_of_a_new_day')).toBe(1);
    const newest = 'select max(seq) as seq from revocation';
    const { seq } = (await sql(next.url, newest)).rows[0];
    await sql(next.url, "insert into revocation (at, reason) values (1, 'after')");
    expect(Number((await sql(next.url, newest)).rows[0].seq)).toBe(Number(seq) + 1);
    await expect(sql(old.url, "insert into revocation (at, reason) values (1, 'late')")).rejects.toMatchObject({
      code: '25006',
    });
    for (const url of [old.url, next.url]) expect((await sql(url, TRACES)).rows).toEqual([]);
  }, 240_000);

  it('runs on the new one with every change that was acknowledged, and an audit chain that is whole', async () => {
    const moved = await ServerUnderTest.over(next, { VEDETTE_KEY: server.masterKey });
    const client = await moved.signIn('operator', 'Watch-2026');
    const { config } = await client.ok('system/config/get', {});
    expect(config.storage.retentionDays).toBe(1 + (acknowledged % 3000));
    const saved = "select count(*) as n from audit_log where call = 'system/config/set' and code = 200";
    expect(Number((await sql(next.url, saved)).rows[0].n)).toBeGreaterThanOrEqual(acknowledged);
    expect(await client.ok('audit/verify', {})).toMatchObject({ isWhole: true });
    const { version } = await client.ok('system/config/get', {});
    await client.ok('system/config/set', { version, config });
  }, 60_000);
});

it('refuses with a sentence for each thing that is missing, and changes nothing', async () => {
  const [old, next] = await Promise.all([startTestDatabase(), startTestDatabase()]);
  try {
    await sql(old.url, 'create unlogged table passing (a int primary key)');
    await sql(next.url, 'create table held (a int)');
    const { code, said } = await upgrade(old.url, ['--to', next.url]);
    expect(code).toBe(1);
    for (const word of ['wal_level', 'passing', 'no table of migrations', 'not empty (held'])
      expect(said).toContain(word);
    expect((await sql(old.url, 'select 1 from pg_publication')).rowCount).toBe(0);
    expect((await upgrade(old.url, ['--to', old.url])).said).toContain('the same database');
    expect((await upgrade(old.url, ['--to', 'postgres://a:word@localhost/x'])).said).toContain('VEDETTE_DATABASE_TO');
    expect((await upgrade(old.url, ['--prepare'])).code).toBe(0);
    await old.down();
    await old.up();
    expect((await upgrade(old.url, ['--to', next.url])).said).not.toContain('wal_level');
  } finally {
    await Promise.all([old.stop(), next.stop()]);
  }
}, 60_000);
