// Two server processes on one database: each alarm is delivered once, and what one server does for all is taken over when it is killed, frozen or stopped.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { LEASE_MS } from '../../server/work-lease/lease-judge.ts';
import { ScriptedSite } from '../contract/scripted-site.ts';
import { ServerUnderTest } from '../contract/server-under-test.ts';
import { serverBeside } from '../harness/server-beside.ts';
import { waitFor } from '../harness/wait-for.ts';
import { HttpSink } from '../peers/message-sink.ts';

/** For a busy machine, beside the time that it takes by design. */
const LATE_MS = 15_000;
const RULES = 'alarm rules';

let servers: ServerUnderTest[] = [];
let connection: DatabaseConnection;
let sink: HttpSink;
let camera: string;
let token: string;
let raised = 0;

beforeAll(async () => {
  const first = await ServerUnderTest.start();
  servers = [first];
  sink = await new HttpSink().start();
  const operator = await first.setUp();
  const site = await ScriptedSite.dial(first);
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device.deviceSerial;
  await site.hangUp();
  const { config, version } = await operator.ok('system/config/get', {});
  const alarms = { ...config.alarms, messageNetworks: ['127.0.0.0/8'] };
  await operator.ok('system/config/set', { config: { ...config, alarms }, version });
  const settings = { url: `${sink.url}/hook`, secret: 'whsec_c2VjcmV0' };
  const saved = await operator.ok('alarm/channel/save', { kind: 'webhook', name: 'Hook', isEnabled: true, settings });
  await operator.ok('alarm/rule/save', {
    name: 'Every face',
    isEnabled: true,
    types: ['FaceDetect'],
    groups: [],
    leastSeverity: 'info',
    sources: [],
    plan: null,
    timeZone: 'UTC',
    pauseS: 0,
    actions: [{ kind: 'notify', channelIds: [saved.channel.channelId] }],
  });
  token = (await operator.ok('event/key/add', { name: 'Analyser' })).token;
  servers.push(await serverBeside(first));
  connection = openDatabase({ url: first.database.url, onError: () => undefined });
}, 120_000);
afterAll(async () => {
  await connection?.database.destroy();
  for (const server of servers.toReversed()) await server.stop();
  await sink?.stop();
});

/** Each is an alarm of its own. */
async function raise(server: ServerUnderTest, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    raised += 1;
    const event = { deviceSerial: camera, channelNo: 1, type: 'FaceDetect', key: `face ${raised}` } as const;
    await server.client(token).ok('event/ingest', { ...event, phase: 'pulse' });
  }
}

/** All deliveries of all alarms so far have ended, each in one attempt. */
async function allDelivered(timeoutMs = LATE_MS): Promise<void> {
  await waitFor(
    `${raised} deliveries`,
    async () => {
      const { rows } = await sql<{ state: string; attempts: number; count: number }>`
        select state, attempts, count(*) as count from alarm_delivery group by 1, 2`.execute(connection.database);
      if (rows.length === 1 && rows[0]?.state === 'done' && rows[0].count === raised) return true;
      throw new Error(JSON.stringify({ raised, rows }));
    },
    timeoutMs,
  );
}

/** The receiver was told of each alarm exactly once. */
function expectEachOnce(): void {
  const ids = sink.requests.map(
    ({ body }) => (JSON.parse(body.toString('utf8')) as { data: { alarmId: string } }).data.alarmId,
  );
  expect(ids).toHaveLength(raised);
  expect(new Set(ids).size).toBe(raised);
}

async function leases() {
  return await connection.database.selectFrom('work_lease').selectAll().orderBy('name').execute();
}

/** Index of the server that works off the rules, among those whose log says so. */
function holderOf(work: string): number {
  const taken = servers.map(({ log }) => log.filter((line) => line.includes('does a work for all')));
  const epochs = taken.map((lines) =>
    Math.max(
      0,
      ...lines
        .map((line) => JSON.parse(line) as { lease: string; epoch: number })
        .flatMap(({ lease, epoch }) => (lease === work ? [epoch] : [])),
    ),
  );
  return epochs.indexOf(Math.max(...epochs));
}

/** One of the two, as the tests before have left them: who holds the rules, and the other one. */
function roles() {
  const holder = holderOf(RULES);
  const [holding, other] = [servers[holder], servers[1 - holder]];
  if (holding === undefined || other === undefined) throw new Error('nobody works off the rules');
  return { holding, other };
}

async function takenOverBy(
  server: ServerUnderTest,
  before: Awaited<ReturnType<typeof leases>>,
  withinMs: number,
): Promise<number> {
  const from = performance.now();
  await waitFor(
    'all works to be taken over',
    async () =>
      (await leases()).every(({ epoch }, index) => epoch > (before[index]?.epoch ?? 0)) &&
      server === servers[holderOf(RULES)],
    withinMs,
  );
  return Math.round(performance.now() - from);
}

const measured: Record<string, number> = {};

it('one of two servers acts on each alarm, whichever was told of it', async () => {
  const held = await leases();
  expect(held.length).toBeGreaterThanOrEqual(8);
  expect(new Set(held.map(({ holder }) => holder)).size, 'the first one has them all').toBe(1);
  await Promise.all(servers.map(async (server) => await raise(server, 40)));
  await allDelivered();
  expectEachOnce();
});

it('a killed holder is taken over when its lease is over, and works no more when it is back', async () => {
  const { holding, other } = roles();
  const before = await leases();
  await holding.end('SIGKILL');
  const from = performance.now();
  await raise(other, 10);
  measured['killedMs'] = await takenOverBy(other, before, LEASE_MS + LATE_MS);
  await allDelivered();
  measured['killedDeliveredMs'] = Math.round(performance.now() - from);
  await holding.run();
  expect(roles().holding).toBe(other);
  await raise(holding, 10);
  await allDelivered();
  expectEachOnce();
}, 90_000);

it('a frozen holder is taken over, and stores and sends nothing more when it thaws', async () => {
  const { holding, other } = roles();
  const before = await leases();
  await raise(other, 10);
  await allDelivered();
  process.kill(holding.processId, 'SIGSTOP');
  const lines = holding.log.length;
  await raise(other, 20);
  measured['frozenMs'] = await takenOverBy(other, before, LEASE_MS + LATE_MS);
  await allDelivered();
  const after = await leases();
  process.kill(holding.processId, 'SIGCONT');
  await waitFor(
    'it to notice',
    () =>
      holding.log.slice(lines).filter((line) => line.includes('the lease of a work was lost')).length === after.length,
  );
  await raise(holding, 10);
  await allDelivered();
  expectEachOnce();
  expect(
    (await leases()).map(({ epoch }) => epoch),
    'nothing was taken back',
  ).toEqual(after.map(({ epoch }) => epoch));
}, 90_000);

it('a holder that is stopped hands over at once', async () => {
  const { holding, other } = roles();
  const before = await leases();
  await raise(holding, 5);
  const ending = holding.end();
  measured['stoppedMs'] = await takenOverBy(other, before, LEASE_MS / 2);
  await ending;
  await raise(other, 5);
  await allDelivered();
  expectEachOnce();
}, 60_000);

it('a server that is killed and started again has its own leases back at once', async () => {
  const { holding } = roles();
  const before = await leases();
  await holding.end('SIGKILL');
  const from = performance.now();
  await holding.run();
  const after = await leases();
  measured['restartedMs'] = Math.round(performance.now() - from);
  expect(after.map(({ epoch }) => epoch)).toEqual(before.map(({ epoch }) => epoch + 1));
  expect(after.map(({ holder }) => holder)).toEqual(before.map(({ holder }) => holder));
  await raise(holding, 5);
  await allDelivered();
  expectEachOnce();
  process.stdout.write(`two-servers: ${JSON.stringify(measured)}\n`);
}, 60_000);

it('a second server with the same data folder is refused in words', async () => {
  const { holding } = roles();
  const twin = serverBeside(holding, { VEDETTE_DATA: holding.dataFolder });
  await expect(twin).rejects.toThrow(/identityInUse.*remove the file node-id/);
  await raise(holding, 1);
  await allDelivered();
  expectEachOnce();
}, 60_000);
