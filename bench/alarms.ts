// npm run bench:alarms: how fast alarms are stored and read: insert rate with full durability, pages of a list of 200,000 rows, and the plans behind them.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import type { DeviceEventReport } from '@vedette/contract/site/site.ts';
import { RAISED_ALARM_TYPE_NAMES } from '@vedette/contract/alarm-types.ts';
import { pino } from 'pino';
import type { Rights } from '../server/auth/rights.ts';
import { systemClock as clock } from '@vedette/foundation/time/clock.ts';
import { type AlarmFilter, alarmPage } from '../server/database/alarm/alarm-read.queries.ts';
import { type DatabaseConnection, openDatabase } from '../server/database/connection.ts';
import { findDevicesFacts } from '../server/database/device/device.queries.ts';
import { migrate } from '../server/database/migrate.ts';
import { AlarmWriter } from '../server/features/alarm/alarm-writer.ts';
import { startTestDatabase } from '../tests/contract/test-database.ts';
import { postgresCpuMs } from '../tests/harness/postgres-cpu.ts';

const ROWS = Number(process.env['ROWS'] ?? 200_000);
const DEVICES = Number(process.env['DEVICES'] ?? 1000);
const DAYS = 7;
const BATCH = Number(process.env['BATCH'] ?? 2000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 60);
const PAGE = 51;

const postgres = await startTestDatabase({ isDurable: true });
const connection = openDatabase({ url: postgres.url, onError: (error) => process.stderr.write(`${error.message}\n`) });
try {
  process.stdout.write(`${JSON.stringify(await measure(connection))}\n`);
} finally {
  await connection.database.destroy();
  await postgres.stop();
}

async function measure({ database, pool }: DatabaseConnection) {
  await migrate(pool);
  await pool.query(
    `insert into account (account_id, user_name, user_name_key, password_hash, user_type, created_at)
     values ('owner', 'owner', 'owner', '', 0, 0), ('guest', 'guest', 'guest', '', 2, 0)`,
  );
  await pool.query(
    `insert into organization (organization_id, owner_id, organization_name, path, created_at)
     select 'o' || n, 'owner', 'Site ' || n, array['o' || n], 0 from generate_series(0, 19) n`,
  );
  await pool.query(
    `insert into device (device_id, owner_id, device_serial, device_name, device_type, device_model, device_version,
       manufacturer, organization_id, driver, address, device_user_name, credentials, is_operator_address, created_at)
     select 'd' || n, 'owner', 'SN' || n, 'Camera ' || n, 0, '', '', '', 'o' || (n % 20), 'onvif', '', '', '', false, 0
     from generate_series(0, $1::int - 1) n`,
    [DEVICES],
  );
  await pool.query(
    `insert into channel (channel_id, device_id, channel_no, channel_name)
     select 'c' || n, 'd' || n, 1, 'Camera ' || n from generate_series(0, $1::int - 1) n`,
    [DEVICES],
  );
  const settings = async () => ({ retentionDays: 90, topicList: [] });
  const writer = new AlarmWriter({ database, clock, log: pino({ level: 'silent' }), settings, timeZone: 'UTC' });
  const insert = await store(database, writer);
  await pool.query('vacuum analyze');
  const pages: Record<string, { p50: number; p95: number; isPruned: boolean }> = {};
  for (const [name, { rights, filter }] of Object.entries(questions())) {
    pages[name] = await read({ database, pool } as DatabaseConnection, rights, filter);
  }
  return { rows: ROWS, devices: DEVICES, days: DAYS, insert, pages };
}

/** Whole batches as the site link hands them over: events to rows, open alarms and outbox in one commit each. */
async function store(database: DatabaseConnection['database'], writer: AlarmWriter) {
  const started = clock.wallMs() - DAYS * DAY_MS + 60_000;
  const took: number[] = [];
  const before = { node: process.cpuUsage(), postgres: await postgresCpuMs(postgres.folder) };
  for (let from = 0; from < ROWS; from += BATCH) {
    const reports = Array.from({ length: Math.min(BATCH, ROWS - from) }, (_none, at) => report(from + at, started));
    const beganAt = performance.now();
    const devices = await findDevicesFacts(database, [...new Set(reports.map((one) => one.deviceSerial))]);
    const told = reports.flatMap((one) => {
      const device = devices.get(one.deviceSerial);
      return device === undefined ? [] : [{ device, report: one }];
    });
    await writer.write({ reports: told }, async (batch) => {
      for (const { device, report: one } of told) batch.reported(device, one);
    });
    took.push(performance.now() - beganAt);
  }
  const totalMs = took.reduce((sum, one) => sum + one, 0);
  const perAlarm = (cpuMs: number): number => Math.round((cpuMs / ROWS) * 1000);
  const after = { node: process.cpuUsage(before.node), postgres: await postgresCpuMs(postgres.folder) };
  return {
    perSecond: Math.round((ROWS / totalMs) * 1000),
    batch: BATCH,
    ...spread(took),
    cpuUsPerAlarm: {
      node: perAlarm((after.node.user + after.node.system) / 1000),
      postgres: perAlarm(after.postgres - before.postgres),
    },
  };
}

function report(no: number, started: number): DeviceEventReport {
  const device = (no * 7919) % DEVICES;
  const type = RAISED_ALARM_TYPE_NAMES[(no * 31) % RAISED_ALARM_TYPE_NAMES.length];
  const at = started + Math.floor((no / ROWS) * (DAYS * DAY_MS - 120_000));
  const topic = `tnsvdt:Alarm/${type}`;
  const common = { kind: 'deviceEvent', eventId: `bench ${no}`, channelNo: 1, deviceAt: at } as const;
  // Each its own alarm: a source of its own keeps states from folding into one.
  return {
    ...common,
    deviceSerial: `SN${device}`,
    topic,
    phase: 'pulse',
    key: `k${no}`,
    at,
    source: {},
    data: { State: 'true' },
  };
}

function questions(): Record<string, { rights: Rights; filter: AlarmFilter }> {
  const now = clock.wallMs();
  const owner: Rights = { subject: principal('owner', 0), grants: [], now };
  const scope = { kind: 'channel', deviceId: 'd77', channelNo: 1 } as const;
  const grant = { grantId: 'g', granteeId: 'guest', ownerId: 'owner', scope, permissions: ['AlarmPush' as const] };
  const shared = { ...grant, startTime: null, endTime: null, source: 'share' as const, shareId: 's', share: null };
  const guest = { subject: principal('guest', 2), grants: [shared], now } as unknown as Rights;
  const devices = Array.from({ length: 60 }, (_none, at) => ({ deviceSerial: `SN${at * 7}` }));
  return {
    newest: { rights: owner, filter: {} },
    oneDay: { rights: owner, filter: { startTime: now - 3 * DAY_MS, endTime: now - 2 * DAY_MS } },
    fiveTypes: { rights: owner, filter: { types: RAISED_ALARM_TYPE_NAMES.slice(5, 10) } },
    critical: { rights: owner, filter: { severities: [3] } },
    organization: { rights: owner, filter: { organizationId: 'o3' } },
    oneDevice: { rights: owner, filter: { devices: [{ deviceSerial: 'SN77' }] } },
    sixtyDevicesFiveTypes: { rights: owner, filter: { devices, types: RAISED_ALARM_TYPE_NAMES.slice(5, 10) } },
    guestOfOneChannel: { rights: guest, filter: {} },
  };
}

function principal(userId: string, userType: number) {
  return { userId, userType, userName: userId, ownerId: null, sessionId: '' };
}

async function read({ database, pool }: DatabaseConnection, rights: Rights, filter: AlarmFilter) {
  const page = { filter, after: null, limit: PAGE, isWeb: true };
  const took: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = performance.now();
    const rows = await alarmPage(database, rights, page);
    took.push(performance.now() - before);
    if (rows.length === 0) throw new Error('a page is empty: nothing was measured');
  }
  return { ...spread(took), isPruned: await isIndexed(pool, database, rights, page) };
}

/** True where the plan reads no partition from end to end. */
async function isIndexed(
  pool: DatabaseConnection['pool'],
  database: DatabaseConnection['database'],
  rights: Rights,
  page: Parameters<typeof alarmPage>[2],
): Promise<boolean> {
  const asked: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];
  const heard = database.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => result,
  });
  const executor = heard.getExecutor();
  const compile = executor.compileQuery.bind(executor);
  executor.compileQuery = (node, queryId) => {
    const compiled = compile(node, queryId);
    if (compiled.sql.includes('"alarm"')) asked.push(compiled);
    return compiled;
  };
  await alarmPage(heard, rights, page);
  if (asked.length === 0) throw new Error('the question was not heard');
  const lines: string[] = [];
  for (const { sql, parameters } of asked) {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`explain (analyze, buffers) ${sql}`, [...parameters]);
    lines.push(...rows.map((row) => row['QUERY PLAN']));
  }
  const plan = lines.join('\n');
  if (process.env['PLANS'] !== undefined) process.stderr.write(`${JSON.stringify(page.filter)}\n${plan}\n\n`);
  return !/Seq Scan on alarm_\d+(?! .*never executed)/.test(plan);
}

function spread(took: readonly number[]): { p50: number; p95: number } {
  const sorted = [...took].sort((one, other) => one - other);
  const at = (share: number) => Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95) };
}
