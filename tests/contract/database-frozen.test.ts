// Every call, page and socket while PostgreSQL is frozen, and after it resumes: answers in time, nothing written twice.
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CallPath, calls } from '@vedette/contract/calls/calls.ts';
import pg from 'pg';
import { waitFor } from '../harness/wait-for.ts';
import { goodInputs } from './good-inputs.ts';
import { type InputFixture, createInputFixture } from './inputs/input-fixture.ts';
import { ResendingSite } from './resending-site.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { type OwnDatabase, startTestDatabase } from './test-database.ts';
import { upload } from './upload-firmware.ts';

const WITHIN_MS = 10_000;
const BUSY = 1012;
const paths = Object.keys(goodInputs) as CallPath[];
/** Some of these ask nothing of the database, or refuse before they do. */
const isPublic = (path: CallPath) => calls[path].permission.kind === 'public';

let server: ServerUnderTest<OwnDatabase>;
let site: ResendingSite;
let operator: CallClient;
let stage: InputFixture;
let client: pg.Client;

beforeAll(async () => {
  server = await ServerUnderTest.over(await startTestDatabase());
  operator = await server.setUp();
  const staging = await ScriptedSite.dial(server);
  staging.spans = [{ startTime: 1_000_000, endTime: 1_060_000, recordType: 1 }];
  stage = await createInputFixture(server, operator, staging);
  await staging.hangUp();
  site = await ResendingSite.dial(server);
  client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
});
afterAll(async () => {
  server?.database.thaw();
  await client?.end();
  await site?.close();
  await server?.stop();
});

async function timed<T>(what: Promise<T>): Promise<{ readonly tookMs: number; readonly answer: T }> {
  const from = performance.now();
  const answer = await what;
  return { tookMs: performance.now() - from, answer };
}

async function frozen<T>(during: () => Promise<T>): Promise<T> {
  await server.database.freeze();
  try {
    return await during();
  } finally {
    server.database.thaw();
  }
}

const input = (path: CallPath) => goodInputs[path](stage) as Record<string, unknown>;
const memory = async () =>
  Number(/vedette_server_resident_bytes (\d+)/.exec((await server.send({ path: '/metrics' })).body)?.[1]);

async function everyCall(): Promise<readonly string[]> {
  const late: string[] = [];
  await Promise.all(
    paths.map(async (path) => {
      const caller = isPublic(path) ? server.client() : operator;
      const { tookMs, answer } = await timed(caller.raw(path, input(path)));
      if (tookMs > WITHIN_MS) late.push(`${path} after ${Math.round(tookMs)} ms`);
      if (answer.code === 1000 || (!isPublic(path) && answer.code !== BUSY))
        late.push(`${path} answered ${answer.code}`);
    }),
  );
  return late;
}

it('every call answers 1012 within ten seconds, repeatedly, and memory stays stable', async () => {
  const before = await memory();
  await frozen(async () => {
    for (const _wave of [1, 2]) expect(await everyCall()).toEqual([]);
    expect((await memory()) - before, 'bytes of memory').toBeLessThan(64 * 1024 * 1024);
  });
  await waitFor('an answer', async () => (await operator.call('alarm/list', {})).code === 200, 5000);
}, 120_000);

it('pages, health, metrics, uploads and sockets answer within ten seconds', async () => {
  const pages = [
    '/',
    '/healthz',
    '/readyz',
    '/metrics',
    '/serverConfig.json',
    '/api/openapi.json',
    '/api/docs',
    '/tls',
  ];
  const statuses = await frozen(() =>
    Promise.all([
      ...pages.map(async (path) => ({ path, ...(await timed(server.send({ path }).then(({ status }) => status))) })),
      timed(upload(server, { token: operator.accessToken }).then((sent) => sent?.body.code)).then((one) => ({
        path: 'upload',
        ...one,
      })),
      timed(hello()).then((one) => ({ path: '/ws', ...one })),
    ]),
  );
  expect(statuses.filter(({ tookMs }) => tookMs > WITHIN_MS)).toEqual([]);
  const answers = Object.fromEntries(statuses.map(({ path, answer }) => [path, answer]));
  expect(answers).toMatchObject({ '/healthz': 200, '/readyz': 503, '/api/docs': 200, upload: BUSY, '/ws': 1013 });
  expect(Object.values(answers).filter((status) => status === 500)).toEqual([]);
  await waitFor('the database', async () => (await server.send({ path: '/readyz' })).status === 200, 5000);
}, 60_000);

/** The code by which the socket ends. */
async function hello(): Promise<number> {
  const socket = server.webSocket('/ws');
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello', accessToken: operator.accessToken, since: 0 }));
  const [code] = (await once(socket, 'close')) as [number];
  return code;
}

it('writes during the stall exist once or not at all, and acknowledged ones exist', async () => {
  const acknowledged: string[] = [];
  let isRunning = true;
  const writer = async (name: string): Promise<void> => {
    for (let one = 0; isRunning; one += 1) {
      const organizationName = `${name} ${one}`;
      const { code } = await operator.call('org/add', { organizationName });
      if (code === 200) acknowledged.push(organizationName);
      else expect(code).toBe(BUSY);
    }
  };
  const writers = ['a', 'b', 'c', 'd'].map(writer);
  const ids: string[] = [];
  for (let round = 0; round < 2; round += 1) {
    const before = acknowledged.length;
    await waitFor('writes', () => acknowledged.length > before + 5, 10_000);
    await frozen(async () => {
      for (const part of [1, 2, 3]) {
        const id = `${round}.${part}`;
        ids.push(id);
        site.reportEvent(stage.deviceSerial, {
          topic: 'tnsvdt:Alarm/IllegalLogin',
          eventId: id,
          key: id,
          data: { id },
        });
      }
      expect((await timed(operator.call('alarm/list', {}))).tookMs).toBeLessThan(WITHIN_MS);
    });
    await waitFor('an answer', async () => (await operator.call('alarm/list', {})).code === 200, 5000);
  }
  await site.settled(60_000);
  isRunning = false;
  await Promise.all(writers);
  const { rows } = await client.query<{ name: string; count: number }>(
    "select organization_name as name, count(*)::int as count from organization where organization_name ~ '^[a-d] ' group by 1",
  );
  expect(rows.filter(({ count }) => count > 1)).toEqual([]);
  const names = new Set(rows.map(({ name }) => name));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
  const { rows: alarms } = await client.query<{ id: string }>(
    "select data->>'id' as id from alarm where data->>'id' = any($1) order by start_time, alarm_id",
    [ids],
  );
  expect(alarms.map(({ id }) => id).toSorted()).toEqual(ids);
}, 120_000);

it('everything works again, and nothing failed inside the server', async () => {
  for (const path of ['device/list', 'org/list', 'account/info', 'account/session/list', 'audit/list'] as const) {
    const { tookMs, answer } = await timed(operator.raw(path, {}));
    expect([path, answer.code, tookMs < 2000]).toEqual([path, 200, true]);
  }
  expect(server.log.filter((line) => line.includes('a call failed'))).toEqual([]);
}, 30_000);
