// Alarms while bus and database fail: once each and in order, over cut listeners, duplicate wake-ups and lost answers.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PushMessage } from '@vedette/contract/calls/page-events.ts';
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import pg from 'pg';
import type { Rights } from '../../server/auth/rights.ts';
import { openDatabase } from '../../server/database/connection.ts';
import { insertCameras, storm } from '../harness/alarm-storm.ts';
import { faultRounds, isLongRun } from '../harness/fault-rounds.ts';
import { fillAlarms, timePages } from '../harness/many-alarms.ts';
import { waitFor } from '../harness/wait-for.ts';
import { PostgresRelay } from '../peers/postgres-relay.ts';
import { ResendingSite } from './resending-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';
import { type OwnDatabase, startTestDatabase } from './test-database.ts';

/** Each event is an alarm of its own. */
const TOPIC = 'tnsvdt:Alarm/IllegalLogin';

/** The outbox by its changes. */
const TOLD = `select seq, place, start_time, alarm_id, is_new from alarm_outbox,
  unnest(start_times, alarm_ids, are_new) with ordinality as entry (start_time, alarm_id, is_new, place)`;

let relay: PostgresRelay;
let server: ServerUnderTest<OwnDatabase>;
let site: ResendingSite;
let operator: CallClient;
let camera: string;
let client: pg.Client;

beforeAll(async () => {
  // What is acknowledged lies on the disk, also where the database is killed.
  const database = await startTestDatabase({ isDurable: true });
  relay = await PostgresRelay.open(database.folder);
  server = await ServerUnderTest.over(database, { DATABASE_URL: relay.url });
  operator = await server.setUp();
  site = await ResendingSite.dial(server);
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  client = await connected();
});
afterAll(async () => {
  await client?.end();
  await site?.close();
  await server?.end();
  await relay?.close();
  await server?.stop();
});

async function connected(): Promise<pg.Client> {
  const fresh = new pg.Client({ connectionString: server.database.url });
  fresh.on('error', () => undefined);
  await fresh.connect();
  return fresh;
}

let events = 0;
/** Answers the ids of what it told. */
function tell(count: number): string[] {
  return Array.from({ length: count }, () => {
    events += 1;
    const id = `e${events}`;
    site.reportEvent(camera, { topic: TOPIC, eventId: id, key: id, at: Date.now(), data: { id } });
    return id;
  });
}

/** By the order of their outbox, which is the order they were told in. */
async function stored(ids: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select data->>'id' as id from alarm join (${TOLD}) as told using (start_time, alarm_id)
     where is_new and data->>'id' = any($1) order by seq, place`,
    [ids],
  );
  return rows.map(({ id }) => id);
}

async function openPage(client: CallClient = operator) {
  const socket = server.webSocket('/ws');
  const shown: string[] = [];
  let isWelcome = false;
  let missed = 0;
  socket.on('error', () => undefined);
  socket.on('message', (raw: Buffer) => {
    const message = JSON.parse(raw.toString('utf8')) as PushMessage;
    isWelcome ||= message.type === 'welcome';
    if (message.type === 'event' && message.event.kind === 'alarmsMissed') missed += 1;
    if (message.type === 'event' && message.event.kind === 'alarm' && message.event.isNew) {
      shown.push(message.event.alarm.data['id'] ?? message.event.alarm.alarmId);
    }
  });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: client.accessToken })));
  await waitFor('the page to be welcome', () => isWelcome);
  return { shown, missed: () => missed, close: () => socket.close() };
}

it('[FT-26] cut listeners lose nothing and push nothing twice: the server falls back to polling', async () => {
  const page = await openPage();
  const ids: string[] = [];
  for (let round = 0; round < faultRounds(4, 200); round += 1) {
    const { rowCount } = await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where query like 'LISTEN%'",
    );
    if (round === 0) expect(rowCount).toBeGreaterThan(1);
    ids.push(...tell(5));
    await site.settled();
  }
  await waitFor('all on the page', () => page.shown.length >= ids.length, 10_000);
  expect(page.shown).toEqual(ids);
  page.close();
}, 600_000);

it('[FT-27] duplicate, spurious and reordered wake-ups and events reach the user once, in order per device', async () => {
  const page = await openPage();
  const others = await Promise.all([1, 2, 3].map(connected));
  const noise = async (other: pg.Client) => {
    for (let one = 0; one < faultRounds(40, 2000); one += 1) await other.query("select pg_notify('vedette_alarm', '')");
  };
  const noisy = Promise.all(others.map(noise));
  const ids: string[] = [];
  for (let round = 0; round < faultRounds(5, 200); round += 1) {
    const fresh = tell(6);
    ids.push(...fresh);
    // The same again, the last first, as after a line that broke.
    for (const id of fresh.toReversed()) site.reportEvent(camera, { topic: TOPIC, eventId: id, key: id, data: { id } });
    await site.settled();
  }
  await noisy;
  await waitFor('all on the page', () => page.shown.length >= ids.length, 10_000);
  await Promise.all(others.map((other) => other.end()));
  expect(page.shown).toEqual(ids);
  expect(await stored(ids)).toEqual(ids);
  page.close();
}, 600_000);

it('[FT-25] a connection cut at COMMIT, before or after it took effect, is retried and applied once', async () => {
  const rounds = faultRounds(12, 1000);
  const ids: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = relay.cuts;
    relay.cutAtCommit = round % 2 === 0 ? 'before' : 'after';
    ids.push(...tell(3));
    await waitFor('the cut', () => relay.cuts > before, 30_000);
    await site.settled();
  }
  expect(relay.cuts).toBeGreaterThanOrEqual(rounds);
  expect(await stored(ids)).toEqual(ids);
  process.stdout.write(`commit-unknown: ${JSON.stringify({ rounds, alarms: ids.length, lost: 0, doubled: 0 })}\n`);
}, 3_600_000);

let inserted: Promise<{ readonly ownerId: string; readonly serials: readonly string[] }> | null = null;
/** For whichever test asks first. */
function thousandCameras(): NonNullable<typeof inserted> {
  inserted ??= (async () => {
    const { rows } = await client.query<{ account_id: string }>('select account_id from account limit 1');
    const ownerId = rows[0]?.account_id ?? '';
    return { ownerId, serials: await insertCameras(client, { ownerId, count: 1000, masterKey: server.masterKey }) };
  })();
  return inserted;
}

it('[FT-35] stores a burst of a thousand cameras whole, and pushes a part of it with a notice of the rest', async () => {
  const [perSecond, seconds] = [10_000, faultRounds(1, 60)];
  const { socketPath, masterKey } = server;
  const { serials } = await thousandCameras();
  await site.close();
  await operator.ok('user/add', { username: 'watchman', password: 'Watch-1', userType: USER_TYPE.sub });
  const [page, stranger] = [await openPage(), await openPage(await server.signIn('watchman', 'Watch-1'))];
  const beganAt = performance.now();
  const result = await storm({ socketPath, masterKey, serials, perSecond, seconds });
  const { rows: counted } = await client.query<{ alarms: number; lines: number }>(
    `select (select count(*)::int from alarm where device_id like 'storm%') as alarms,
       (select count(*)::int from (${TOLD}) as told join alarm using (start_time, alarm_id)
        where is_new and device_id like 'storm%') as lines`,
  );
  expect(counted[0]).toEqual({ alarms: result.told, lines: result.told });
  await waitFor('word of what is left out', () => page.missed() > 0 || page.shown.length === result.told);
  expect(new Set(page.shown).size, 'none twice').toBe(page.shown.length);
  const lasted = Math.ceil((performance.now() - beganAt) / 1000) + 1;
  expect(page.shown.length, 'no more than a page is shown in a second').toBeLessThanOrEqual(500 * lasted);
  expect([stranger.shown, stranger.missed()], 'whom no alarm concerns').toEqual([[], 0]);
  process.stdout.write(`alarm-storm: ${JSON.stringify({ perSecond, seconds, ...result, shown: page.shown.length })}\n`);
  if (isLongRun) expect(result.storedP99Ms).toBeLessThanOrEqual(2000);
  page.close();
  stranger.close();
  site = await ResendingSite.dial(server);
}, 600_000);

it('reads a page of fifty by devices, types and time from indexes, also out of ten million alarms', async () => {
  const { ownerId } = await thousandCameras();
  const { database } = openDatabase({ url: server.database.url, onError: () => undefined });
  const now = Date.now() - 3_600_000;
  const many = { ownerId, devices: 1000, rows: faultRounds(20_000, 10_000_000), days: 7, now };
  await fillAlarms(client, database, many);
  const subject = { userId: ownerId, userType: 0, userName: '', ownerId: null, sessionId: '' };
  const devices = Array.from({ length: 60 }, (_none, at) => ({ deviceSerial: `STORM${at * 7}` }));
  const filter = { devices, types: RAISED_ALARM_TYPE_NAMES.slice(5, 25), startTime: now - 6 * DAY_MS, endTime: now };
  const rights: Rights = { subject, grants: [], now };
  const took = await timePages(database, rights, { filter, rounds: faultRounds(3, 100) });
  const at = (share: number) => Math.round((took[Math.floor((took.length - 1) * share)] ?? 0) * 10) / 10;
  process.stdout.write(`alarm-pages: ${JSON.stringify({ rows: many.rows, p50Ms: at(0.5), p95Ms: at(0.95) })}\n`);
  if (isLongRun) expect(at(0.95)).toBeLessThanOrEqual(20);
  await database.destroy();
}, 3_600_000);

it('[FT-24] refuses calls that wait too long for a slow database, and queues nothing without bound', async () => {
  relay.delayMs = 2000;
  const took: number[] = [];
  const codes = new Map<number, number>();
  const ask = async (): Promise<void> => {
    const startedAt = performance.now();
    const { code } = await operator.call('alarm/list', {});
    took.push(performance.now() - startedAt);
    codes.set(code, (codes.get(code) ?? 0) + 1);
  };
  const memory = async () =>
    Number(/vedette_server_resident_bytes (\d+)/.exec((await server.send({ path: '/metrics' })).body)?.[1]);
  const before = await memory();
  for (let wave = 0; wave < faultRounds(1, 10); wave += 1) await Promise.all(Array.from({ length: 150 }, ask));
  relay.delayMs = 0;
  expect(Math.max(...took)).toBeLessThan(10_000);
  expect([...codes.keys()].filter((code) => ![200, 1000, 1012].includes(code))).toEqual([]);
  expect(codes.get(1012) ?? 0, 'refused at once').toBeGreaterThan(0);
  await waitFor('an answer at once', async () => {
    const startedAt = performance.now();
    return (await operator.call('alarm/list', {})).code === 200 && performance.now() - startedAt < 1000;
  });
  expect((await memory()) - before, 'bytes of memory').toBeLessThan(64 * 1024 * 1024);
}, 600_000);

it('[FT-22] [FT-23] keeps every acknowledged write over restarts and outages of the database; alarms follow later and in order', async () => {
  const acknowledged: string[] = [];
  const ids: string[] = [];
  let isRunning = true;
  const writer = async (name: string): Promise<void> => {
    for (let one = 0; isRunning; one += 1) {
      const organizationName = `${name} ${one}`;
      const { code } = await operator.call('org/add', { organizationName });
      if (code === 200) acknowledged.push(organizationName);
    }
  };
  const writers = ['a', 'b', 'c'].map(writer);
  await waitFor('some writes', () => acknowledged.length > 5);
  for (let round = 0; round < faultRounds(1, 3); round += 1) {
    await server.database.down();
    ids.push(...tell(50));
    const gone = faultRounds(500, 60_000);
    const goneSince = performance.now();
    await waitFor('the time without a database', () => performance.now() - goneSince > gone, gone + 5000);
    ids.push(...tell(50));
    const before = acknowledged.length;
    await server.database.up();
    await waitFor('writes again', () => acknowledged.length > before, 5000);
    await site.settled(30_000);
  }
  isRunning = false;
  await Promise.all(writers);
  client = await connected();
  expect(await stored(ids)).toEqual(ids);
  const { rows } = await client.query<{ name: string }>('select organization_name as name from organization');
  const names = new Set(rows.map(({ name }) => name));
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
  operator = await server.signIn(OPERATOR.username, OPERATOR.password);
}, 600_000);

/** How the server, its database, or the line between them is gone in the midst of work. */
const GONE = [
  async function serverKilled() {
    await server.end('SIGKILL');
    await server.run();
  },
  async function databaseKilled() {
    // One of its processes: the database ends them all, and begins anew from its log.
    const sinceOf = `select backend_start::text as since, pg_backend_pid() as pid from pg_stat_activity
      where backend_type = 'checkpointer'`;
    const { rows } = await client.query<{ since: string; pid: number }>(sinceOf);
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    const isNew = async (): Promise<boolean> => {
      client = await connected();
      const { rows: now } = await client.query<{ since: string }>(sinceOf);
      return now[0] !== undefined && now[0].since !== rows[0]?.since;
    };
    await waitFor('the database to be back', isNew, 30_000);
  },
  async function lineCut() {
    relay.cutAll();
  },
];

it('[FT-23] keeps every reported alarm, once and in order, over killed servers and databases and cut connections', async () => {
  const kills = faultRounds(3, 1000);
  const ids: string[] = [];
  const count = { serverKilled: 0, databaseKilled: 0, lineCut: 0 };
  const beganAt = performance.now();
  for (let kill = 0; kill < kills; kill += 1) {
    ids.push(...tell(4));
    // From before the first is read until after the last is acknowledged.
    await moments(kill % 24);
    const gone = GONE[kill % GONE.length];
    await gone?.();
    count[(gone?.name ?? 'lineCut') as 'lineCut'] += 1;
    ids.push(...tell(1));
    await site.settled(60_000);
  }
  expect(await stored(ids)).toEqual(ids);
  const minutes = Math.round((performance.now() - beganAt) / 6000) / 10;
  process.stdout.write(
    `alarm-kills: ${JSON.stringify({ ...count, alarms: ids.length, lost: 0, doubled: 0, minutes })}\n`,
  );
}, 3_600_000);

/** By turns of this process, so that its lines go on meanwhile. */
async function moments(ms: number): Promise<void> {
  const until = performance.now() + ms;
  while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
}
