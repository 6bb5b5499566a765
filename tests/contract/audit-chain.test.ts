// The audit log and its chain: lines are there at once, linked right after, and what is done to them in between is found or told.
import { systemClock } from '@vedette/foundation/time/clock.ts';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { chainBatch } from '../../server/audit/audit-chainer.ts';
import { AuditWriter } from '../../server/audit/audit-writer.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { waitFor } from '../harness/wait-for.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { startTestDatabase } from './test-database.ts';

const log = pino({ level: 'silent' });
const LINE = {
  accountId: null,
  sessionId: null,
  address: '192.0.2.7',
  call: 'layout/save',
  kind: 'write',
  object: null,
  code: 200,
  ownerIds: [],
} as const;
const LONG_AGO_MS = 600_000;

let server: ServerUnderTest;
let operator: CallClient;
let connection: DatabaseConnection;
let client: pg.Client;
let runs = 0;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  connection = openDatabase({ url: server.database.url, onError: () => undefined });
  client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
});
beforeEach(allChained);
afterAll(async () => {
  await client?.end();
  await connection?.database.destroy();
  await server?.stop();
});

const verify = () => operator.ok('audit/verify', {});

async function allChained(): Promise<void> {
  await waitFor('all lines to be chained', async () => (await client.query('select from audit_tail')).rowCount === 0);
}

/** Of another server of the same database. */
function writer(database = connection.database): AuditWriter {
  runs += 1;
  return new AuditWriter({ database, clock: systemClock, log, runId: `run ${runs}` });
}

/** Nobody links anything meanwhile; who reads is not held up. */
async function withoutChainer(during: () => Promise<void>): Promise<void> {
  await client.query('begin');
  await client.query('lock table audit_chain in share row exclusive mode');
  try {
    await during();
  } finally {
    await client.query('rollback');
  }
}

async function asAttacker(statements: readonly string[]): Promise<void> {
  const tables = ['audit_log', 'audit_chain'];
  for (const table of tables) await client.query(`alter table ${table} disable trigger ${table}_append_only`);
  for (const statement of statements) await client.query(statement);
  for (const table of tables) await client.query(`alter table ${table} enable trigger ${table}_append_only`);
}

it('a line is in the list at once, and has its number within seconds', async () => {
  await withoutChainer(async () => {
    await operator.ok('org/add', { organizationName: 'Early' });
    const { auditList } = await operator.ok('audit/list', {});
    expect(auditList[0]).toMatchObject({ call: 'org/add', entryNo: 0 });
    const { csv } = await operator.ok('audit/export', {});
    expect(csv.split('\r\n')[1]).toMatch(/^,.*org\/add/);
    const found = await verify();
    expect(found).toMatchObject({ isWhole: true, missing: 0 });
    expect(found.unchained).toBeGreaterThanOrEqual(2);
    expect(found.unchainedForMs).toBeGreaterThan(0);
  });
  await allChained();
  const { auditList } = await operator.ok('audit/list', {});
  const numbers = auditList.map(({ entryNo }) => entryNo);
  expect(numbers).toEqual(numbers.toSorted((one, other) => other - one));
  expect(new Set(auditList.map(({ entryId }) => entryId)).size).toBe(auditList.length);
  const whole = await verify();
  expect(whole).toMatchObject({ isWhole: true, unchained: 0, unchainedForMs: 0, missing: 0 });
  expect(whole.total).toBe(numbers[0]);
});

it('a line that is removed before it is linked leaves a gap that is told', async () => {
  const other = writer();
  const at = Date.now() - LONG_AGO_MS;
  const run = `run ${runs}`;
  await withoutChainer(async () => {
    for (let no = 1; no <= 3; no += 1) await other.append({ ...LINE, at });
  });
  // The lock is given back for it, and the chainer may have been faster: then the chain breaks, which is found too.
  await asAttacker([
    `delete from audit_chain where seq in (select seq from audit_log where run_id = '${run}' and run_no = 2)`,
    `delete from audit_tail where seq in (select seq from audit_log where run_id = '${run}' and run_no = 2)`,
    `delete from audit_log where run_id = '${run}' and run_no = 2`,
  ]);
  expect((await verify()).missing).toBe(1);
  await other.append({ ...LINE, at: Date.now() });
  expect((await verify()).missing, 'what is on its way is not missing yet').toBe(1);
});

it('a line that is stored again after a lost answer is there once', async () => {
  const [one, twin] = [writer(), writer()];
  const again = new AuditWriter({ database: connection.database, clock: systemClock, log, runId: `run ${runs}` });
  await one.append({ ...LINE, at: Date.now() });
  await twin.append({ ...LINE, at: Date.now() });
  await again.append({ ...LINE, at: Date.now() });
  const { rows } = await client.query(`select count(*)::int as n from audit_log where run_id = 'run ${runs}'`);
  expect(rows).toEqual([{ n: 1 }]);
});

it('two that chain at once make one chain', async () => {
  const other = writer();
  await Promise.all(Array.from({ length: 200 }, () => other.append({ ...LINE, at: Date.now() })));
  const turns = Array.from({ length: 20 }, () => chainBatch(connection.database));
  const ended = await Promise.allSettled(turns);
  const refusals = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as { code?: string }] : []));
  expect(
    refusals.every(({ code }) => code === '23505'),
    'refused for a number that is taken',
  ).toBe(true);
  await allChained();
  expect(await verify()).toMatchObject({ unchained: 0 });
  const { rows } = await client.query(
    'select count(*)::int as n, count(distinct seq)::int as lines, max(entry_no)::int as newest from audit_chain',
  );
  expect(rows[0]).toMatchObject({ n: rows[0].newest, lines: rows[0].newest });
});

it('an operator is told where lines lie unlinked for more than a minute', async () => {
  const stateOf = async () =>
    (await operator.ok('system/health/get', {})).partList.find(({ part }) => part === 'auditLog');
  expect(await stateOf()).toMatchObject({ state: 'good', reason: null });
  await withoutChainer(async () => {
    await writer().append({ ...LINE, at: Date.now() - LONG_AGO_MS });
    expect(await stateOf()).toMatchObject({ state: 'bad', reason: 'auditUnchained' });
    expect((await verify()).unchainedForMs).toBeGreaterThanOrEqual(LONG_AGO_MS);
  });
  await allChained();
  expect(await stateOf()).toMatchObject({ state: 'good' });
});

it('lines of while the database is away are stored when it is back, each once', async () => {
  const database = await startTestDatabase({ cluster: (await import('./migrated-cluster.ts')).migratedCluster() });
  const away = openDatabase({ url: database.url, onError: () => undefined });
  const own = writer(away.database);
  try {
    await own.append({ ...LINE, at: Date.now() });
    await database.down();
    await Promise.all(Array.from({ length: 5 }, () => own.append({ ...LINE, at: Date.now() })));
    await database.up();
    await own.append({ ...LINE, at: Date.now() });
    const numbers = async () =>
      (await away.pool.query<{ run_no: number }>('select run_no from audit_log order by run_no')).rows.map(
        ({ run_no: no }) => no,
      );
    await waitFor('all seven', async () => (await numbers()).length === 7);
    expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6, 7]);
  } finally {
    await own.close();
    await away.database.destroy();
    await database.stop();
  }
});
