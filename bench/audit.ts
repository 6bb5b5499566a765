// npm run bench:audit: audited calls a second beside unaudited ones and beside lines chained in their commit, on one and two servers with a synchronous standby.
import { Agent, request } from 'node:http';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import pg from 'pg';
import { pino } from 'pino';
import { AuditWriter } from '../server/audit/audit-writer.ts';
import { openDatabase } from '../server/database/connection.ts';
import { ServerUnderTest } from '../tests/contract/server-under-test.ts';
import { serverBeside } from '../tests/harness/server-beside.ts';
import { ReplicatedPostgres } from '../tests/harness/replicated-postgres.ts';
import { waitFor } from '../tests/harness/wait-for.ts';

const SECONDS = Number(process.env['SECONDS'] ?? 5);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
/** Each waits for its answer before it asks again. */
const CLIENTS_A_SERVER = 24;
const QUIET = { VEDETTE_LOG_LEVEL: 'warn', VEDETTE_CHECK_ANSWERS: '' };

/** What the database does with a line: nothing, as the product does, or as it did before decision 103. */
const MODES = {
  unaudited: 'create function bench_line() returns trigger language plpgsql as $$ begin return null; end $$',
  audited: null,
  chainedInCommit: `create function bench_line() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(7183241); return new; end $$`,
} as const;
type Mode = keyof typeof MODES;

const log = pino({ level: 'warn' });
const postgres = await ReplicatedPostgres.start();
const client = new pg.Client({ connectionString: postgres.primary.url });
await client.connect();
const database = { url: postgres.url, folder: postgres.folder, stop: () => Promise.resolve() };
const first = await ServerUnderTest.over(database, QUIET);
const second = await serverBeside(first, QUIET);
try {
  const { accessToken } = await first.setUp();
  const one = await compared([first], accessToken ?? '');
  const two = await compared([first, second], accessToken ?? '');
  const lines = await linesAlone();
  process.stdout.write(`${JSON.stringify({ seconds: SECONDS, rounds: ROUNDS, one, two, lines })}\n`);
} finally {
  await second.stop();
  await first.stop();
  await client.end();
  await postgres.stop();
}

/** Calls a second in each mode, the modes in turn so that what else the machine does meets all of them. */
async function compared(servers: readonly ServerUnderTest[], token: string) {
  const callers = await Promise.all(
    servers.flatMap((server, at) =>
      Array.from({ length: CLIENTS_A_SERVER }, (_none, no) =>
        caller(server, token, `Wall ${at} ${no} ${servers.length}`),
      ),
    ),
  );
  const calls: Record<Mode, number> = { unaudited: 0, audited: 0, chainedInCommit: 0 };
  let slowestToChainMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const mode of Object.keys(MODES) as Mode[]) {
      await become(mode);
      calls[mode] += await callsWithin(callers, SECONDS * 1000);
      slowestToChainMs = Math.max(slowestToChainMs, await chained());
    }
  }
  const perSecond = (mode: Mode): number => Math.round(calls[mode] / (SECONDS * ROUNDS));
  const share = (mode: Mode): number => Math.round((calls[mode] / calls.unaudited) * 100) / 100;
  return {
    perSecond: {
      unaudited: perSecond('unaudited'),
      audited: perSecond('audited'),
      chainedInCommit: perSecond('chainedInCommit'),
    },
    ofUnaudited: { audited: share('audited'), chainedInCommit: share('chainedInCommit') },
    slowestToChainMs,
  };
}

/** Lines a second and nothing else, over the connections of two servers: where the log itself is the limit. */
async function linesAlone() {
  const pools = [0, 1].map(() => openDatabase({ url: postgres.url, onError: () => undefined }));
  const writers = pools.map(
    ({ database: held }, no) => new AuditWriter({ database: held, clock: systemClock, log, runId: `bench ${no}` }),
  );
  const line = {
    accountId: null,
    sessionId: null,
    address: '192.0.2.7',
    call: 'layout/save',
    kind: 'write',
    object: null,
  };
  const callers = writers.flatMap((writer) =>
    Array.from(
      { length: CLIENTS_A_SERVER },
      () => () => writer.append({ ...line, at: Date.now(), code: 200, ownerIds: ['0123456789abcdef01234567'] }),
    ),
  );
  const perSecond: Partial<Record<Mode, number>> = {};
  for (const mode of ['audited', 'chainedInCommit'] as const) {
    await become(mode);
    perSecond[mode] = Math.round((await callsWithin(callers, SECONDS * 1000)) / SECONDS);
  }
  const slowestToChainMs = await chained();
  for (const { database: held } of pools) await held.destroy();
  return { perSecond, slowestToChainMs };
}

async function become(mode: Mode): Promise<void> {
  await client.query('drop function if exists bench_line cascade');
  const made = MODES[mode];
  if (made === null) return;
  await client.query(made);
  await client.query('create trigger bench_line before insert on audit_log for each row execute function bench_line()');
}

/** How long the newest line waits for its link. */
async function chained(): Promise<number> {
  const from = performance.now();
  await waitFor(
    'all lines to be chained',
    async () => (await client.query('select from audit_tail limit 1')).rowCount === 0,
  );
  return Math.round(performance.now() - from);
}

async function callsWithin(callers: readonly (() => Promise<void>)[], ms: number): Promise<number> {
  const until = performance.now() + ms;
  const each = callers.map(async (call) => {
    let count = 0;
    for (; performance.now() < until; count += 1) await call();
    return count;
  });
  return (await Promise.all(each)).reduce((sum, count) => sum + count, 0);
}

/** Saves a layout of its own, again and again: a call that stores one row, and one line. */
async function caller(server: ServerUnderTest, token: string, name: string): Promise<() => Promise<void>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const save = async (input: object) => {
    const body = JSON.stringify({ name, split: 4, tiles: [], ...input });
    const answer = JSON.parse(await post({ server, token, agent, body })) as Answer;
    if (answer.code !== 200) throw new Error(`layout/save answered ${answer.code}`);
    return answer.data.layout;
  };
  let layout = await save({});
  return async () => {
    layout = await save({ layoutId: layout.layoutId, version: layout.version });
  };
}

interface Answer {
  readonly code: number;
  readonly data: { readonly layout: { readonly layoutId: string; readonly version: number } };
}

interface Posted {
  readonly server: ServerUnderTest;
  readonly token: string;
  readonly agent: Agent;
  readonly body: string;
}

function post({ server, token, agent, body }: Posted): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      host: 'localhost:8443',
      'x-forwarded-for': '192.0.2.7',
      'x-vedette-loopback': '1',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    };
    const asked = { socketPath: server.socketPath, method: 'POST', path: '/api/v1/layout/save', headers, agent };
    const sent = request(asked, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
