// npm run bench:storm: 10,000 alarms a second for a minute from 1,000 devices, with full durability: store latency and cost, with 1,000 listening pages and 16 recorded cameras.
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { ServerUnderTest } from '../tests/contract/server-under-test.ts';
import { startTestDatabase } from '../tests/contract/test-database.ts';
import { insertCameras, storm } from '../tests/harness/alarm-storm.ts';
import { postgresCpuMs } from '../tests/harness/postgres-cpu.ts';
import { waitFor } from '../tests/harness/wait-for.ts';
import { startSteadyRecordings } from './measure/steady-recordings.ts';

const PER_SECOND = Number(process.env['RATE'] ?? 10_000);
const SECONDS = Number(process.env['SECONDS'] ?? 60);
const DEVICES = Number(process.env['DEVICES'] ?? 1000);
const SOCKETS = Number(process.env['SOCKETS'] ?? 1000);
const RECORDINGS = Number(process.env['RECORDINGS'] ?? 16);

const server = await ServerUnderTest.over(await startTestDatabase({ isDurable: true }), {
  VEDETTE_LOG_LEVEL: 'warn',
  VEDETTE_CHECK_ANSWERS: '',
});
const recordings = RECORDINGS === 0 ? null : await startSteadyRecordings(RECORDINGS);
try {
  process.stdout.write(`${JSON.stringify(await measure())}\n`);
} finally {
  await Promise.all([server.stop(), recordings?.stop()]);
}

async function measure() {
  const operator = await server.setUp();
  const client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  const { rows } = await client.query<{ account_id: string }>('select account_id from account limit 1');
  const { socketPath, masterKey } = server;
  const serials = await insertCameras(client, { ownerId: rows[0]?.account_id ?? '', count: DEVICES, masterKey });
  let pushed = 0;
  for (let one = 0; one < SOCKETS; one += 1) {
    const socket = server.webSocket('/ws');
    socket.on('message', () => {
      pushed += 1;
    });
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: operator.accessToken })));
  }
  await waitFor('all pages to be welcome', () => pushed >= SOCKETS, 60_000);
  const before = { server: await cpuMs(server.processId), postgres: await postgresCpuMs(server.database.folder) };
  const result = await storm({ socketPath, masterKey, serials, perSecond: PER_SECOND, seconds: SECONDS });
  // What is held ends after ten seconds more: it belongs to the cost.
  await waitFor(
    'all of it to be over',
    async () => (await client.query('select 1 from open_alarm limit 1')).rowCount === 0,
    120_000,
  );
  const after = { server: await cpuMs(server.processId), postgres: await postgresCpuMs(server.database.folder) };
  const { rows: counted } = await client.query<{ stored: number }>('select count(*)::int as stored from alarm');
  await client.end();
  const per = (from: number, to: number) => Math.round(((to - from) / result.told) * 1000);
  return {
    perSecond: PER_SECOND,
    seconds: SECONDS,
    devices: DEVICES,
    sockets: SOCKETS,
    ...result,
    stored: counted[0]?.stored,
    pushedMessages: pushed,
    recordings: (await recordings?.missing()) ?? null,
    cpuUsPerAlarm: {
      server: per(before.server, after.server),
      postgres: per(before.postgres, after.postgres),
    },
  };
}

async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  return ((fields[11] ?? 0) + (fields[12] ?? 0)) * 10;
}
