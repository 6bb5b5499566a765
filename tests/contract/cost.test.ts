// Consumption over the real server and database: entries of the ledger, their sums, what they cost, and who is told.
import { randomUUID } from 'node:crypto';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { DAY_MS, HOUR_MS } from '@vedette/foundation/units/durations.ts';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { MeterName } from '@vedette/contract/meters.ts';
import type { QuotaExceeded } from '@vedette/contract/quotas.ts';
import type { CloudBacklog } from '@vedette/contract/site/site-cloud.ts';
import type { TrafficAmount, TrafficReport } from '@vedette/contract/site/site-traffic.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsumptionJobs } from '../../server/consumption/consumption-jobs.ts';
import { copyHours } from '../../server/consumption/copy-hours.ts';
import { mailMeter } from '../../server/consumption/mail-meter.ts';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { hourOf } from '../../server/database/statistic/statistic-due.queries.ts';
import { storeStorageUse } from '../../server/database/statistic/hour-store.queries.ts';
import type { SitePort } from '../../server/site-link/site-port.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const PASSWORD = 'Secret-1';

let server: ServerUnderTest;
let site: ScriptedSite;
let connection: DatabaseConnection;
let operator: CallClient;
let tenant: CallClient;
let clerk: CallClient;
let tenantId: string;
let operatorId: string;
let yard: string;
let camera: string;
let other: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  connection = openDatabase({ url: server.database.url, onError: () => undefined });
  operatorId = (await operator.ok('account/info', {})).userId;
  ({ userId: tenantId } = await operator.ok('user/add', { username: 'tenant', password: PASSWORD, userType: 2 }));
  tenant = await server.signIn('tenant', PASSWORD);
  yard = (await tenant.ok('org/add', { organizationName: 'Yard' })).organizationId;
  const order = { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate', organizationId: yard };
  camera = (await tenant.ok('device/add', order)).device.deviceSerial;
  other = (await operator.ok('device/add', { target: 'rtsp://192.0.2.9/1', deviceName: 'Other' })).device.deviceSerial;
  await tenant.ok('user/add', { username: 'clerk', password: PASSWORD, userType: 5, organizationIds: [yard] });
  clerk = await server.signIn('clerk', PASSWORD);
});
afterAll(async () => {
  await connection?.database.destroy();
  await site?.hangUp();
  await server?.stop();
});

function traffic(deviceSerial: string, amount: Partial<TrafficAmount>, eventId: string = randomUUID()): TrafficReport {
  const whole: TrafficAmount = { channelNo: 1, direction: 'out', userId: operatorId, bytes: 0, ...amount };
  return { kind: 'traffic', deviceSerial, eventId, at: Date.now(), amounts: [whole] };
}

async function report(...events: readonly TrafficReport[]): Promise<void> {
  const seq = events.map((event) => site.report(event)).at(-1) ?? 0;
  await waitFor(`event ${seq} to be stored`, () => site.acknowledged.some((acknowledged) => acknowledged >= seq));
}

/** The server's own jobs may run at the same time: an entry is summed once. */
async function run(channels: readonly CloudBacklog[] = []): Promise<void> {
  const call = (async () => ({ channels })) as unknown as SitePort['call'];
  const sites = { here: () => [{ siteId: 'local', site: { call } as SitePort }] };
  const parts = { database: connection.database, clock: systemClock, log: pino({ enabled: false }) };
  await copyHours({ ...parts, sites }).measure();
  await new ConsumptionJobs({
    ...parts,
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    warnings: { run: async () => undefined },
  }).run();
}

const amountOf = ({ meterList }: Pick<CallOutput<'cost/summary'>, 'meterList'>, meter: MeterName): string | undefined =>
  meterList.find((one) => one.meter === meter)?.amount;

async function amount(client: CallClient, meter: MeterName): Promise<string | undefined> {
  await run();
  return amountOf(await client.ok('cost/summary', { range: 'month', groupBy: 'meter' }), meter);
}

async function channelOf(deviceSerial: string): Promise<string> {
  const row = await connection.database
    .selectFrom('channel')
    .innerJoin('device', 'device.device_id', 'channel.device_id')
    .select('channel.channel_id')
    .where('device_serial', '=', deviceSerial)
    .executeTakeFirstOrThrow();
  return row.channel_id;
}

describe('[RS-05] consumption', () => {
  it('is charged to the owner of the device, whoever watched, and counts once', async () => {
    const twice = traffic(camera, { bytes: 500, minutes: 2 });
    await report(twice, traffic(camera, { bytes: 700, minutes: 1 }), traffic(other, { bytes: 40, minutes: 1 }));
    await report(twice);
    await report(traffic(camera, { direction: 'in', bytes: 9000 }), traffic(camera, { direction: 'relay', bytes: 30 }));
    expect(await amount(tenant, 'egressBytes')).toBe('1200');
    expect(await amount(tenant, 'streamMinutes')).toBe('3');
    expect(await amount(tenant, 'relayBytes')).toBe('30');
    expect(await amount(operator, 'egressBytes')).toBe('1240');
  });

  it('of streams to CDNs is a part of what viewers got, counted once', async () => {
    const before = [await amount(tenant, 'egressBytes'), await amount(tenant, 'streamMinutes')].map(Number);
    const pushed = traffic(other, { bytes: 900, minutes: 3, cdnBytes: 800, cdnMinutes: 2 });
    await report(pushed, traffic(other, { bytes: 10, minutes: 1 }));
    await report(pushed);
    expect(await amount(operator, 'cdnBytes')).toBe('800');
    expect(await amount(operator, 'cdnMinutes')).toBe('2');
    expect(await amount(operator, 'egressBytes')).toBe('2150');
    expect([await amount(tenant, 'egressBytes'), await amount(tenant, 'streamMinutes')].map(Number)).toEqual(before);
    expect(await amount(tenant, 'cdnBytes')).toBeUndefined();
  });

  it('takes a report of an earlier site, which counts no minutes', async () => {
    const { minutes: _none, ...earlier } = { minutes: 0, direction: 'out', bytes: 5 } as const;
    const before = await amount(tenant, 'streamMinutes');
    await report(traffic(camera, earlier));
    expect(await amount(tenant, 'egressBytes')).toBe('1205');
    expect(await amount(tenant, 'streamMinutes')).toBe(before);
  });

  it('of storage is what each hour ended with, once for each hour', async () => {
    const channelId = await channelOf(camera);
    const measure = async (usedBytes: number, at: number): Promise<void> => {
      const use = { channelId, usedBytes, bytesPerDay: null, oldestAt: at, newestAt: at };
      await storeStorageUse(connection.database, { siteId: 'local', uses: [use], at });
    };
    const hour = hourOf(Date.now());
    await measure(7000, hour - 3 * HOUR_MS);
    await measure(8000, hour - 3 * HOUR_MS + 1);
    await measure(100, hour - 2 * HOUR_MS);
    // Of the current hour it is not known what it ends with.
    await measure(1, hour);
    await run();
    await run();
    const { rowList } = await tenant.ok('cost/summary', {
      range: 'custom',
      startTime: hour - 2 * DAY_MS,
      endTime: hour + HOUR_MS,
      groupBy: 'organization',
    });
    expect(rowList.map(({ key, name }) => [key, name])).toEqual([[yard, 'Yard']]);
    expect(rowList.map((row) => amountOf(row, 'recordingByteHours'))).toEqual(['8100']);
  });

  it('of copies counts once an hour, and passes what a number holds exactly', async () => {
    const backlog = {
      waitingFiles: 0,
      waitingBytes: 0,
      waitingSince: null,
      storedFiles: 1,
      lostFiles: 0,
      reason: null,
    };
    const channels = [
      { ...backlog, channelId: await channelOf(camera), storedBytes: Number.MAX_SAFE_INTEGER },
      { ...backlog, channelId: await channelOf(other), storedBytes: 2 },
      { ...backlog, channelId: 'unknown', storedBytes: 5 },
    ];
    await run(channels);
    await run(channels);
    expect(await amount(operator, 'copyByteHours')).toBe(String(BigInt(Number.MAX_SAFE_INTEGER) + 2n));
  });

  it('of mails is charged to the owner of the account whose rule sent them', async () => {
    const onMailSent = mailMeter({ database: connection.database, clock: systemClock, log: pino({ enabled: false }) });
    for (const name of ['tenant', 'clerk', 'clerk']) {
      const account = connection.database.selectFrom('account').selectAll().where('user_name', '=', name);
      await onMailSent(await account.executeTakeFirstOrThrow());
    }
    expect(await amount(tenant, 'mails')).toBe('3');
  });

  it('is grouped by account for the operator, and told of one account', async () => {
    const all = await operator.ok('cost/summary', { range: 'month', groupBy: 'account' });
    expect(new Map(all.rowList.map(({ key, name }) => [key, name])).get(tenantId)).toBe('tenant');
    expect(all.total).toBe(2);
    const one = await operator.ok('cost/summary', { range: 'month', groupBy: 'account', userId: tenantId });
    expect(one.rowList.map(({ key }) => key)).toEqual([tenantId]);
    expect(amountOf(one, 'egressBytes')).toBe('1205');
  });

  it('is the sum of its days', async () => {
    const { dayList } = await tenant.ok('cost/detail', { range: 'month', organizationId: yard });
    const bytes = dayList.map((day) => BigInt(amountOf(day, 'egressBytes') ?? 0));
    expect(bytes.reduce((sum, one) => sum + one, 0n)).toBe(1205n);
    expect((await tenant.ok('cost/detail', { range: 'lastMonth', organizationId: '0' })).dayList).toEqual([]);
  });

  it('has costs where the operator set prices, which no one else sets', async () => {
    const prices = { currency: 'EUR', priceList: [{ meter: 'egressBytes', price: 0.5 } as const] };
    expect((await tenant.call('cost/price/set', { prices })).code).toBe(1004);
    await report(traffic(camera, { bytes: 2e9 }));
    await run();
    await operator.ok('cost/price/set', { prices });
    const told = await tenant.ok('cost/summary', { range: 'month', groupBy: 'meter' });
    expect(told.prices).toEqual(prices);
    expect(told.meterList.find((one) => one.meter === 'egressBytes')?.cost).toBeCloseTo(1, 5);
    expect(told.meterList.find((one) => one.meter === 'streamMinutes')?.cost).toBeNull();
    await operator.ok('cost/price/set', { prices: null });
    expect((await tenant.ok('cost/summary', { range: 'month', groupBy: 'meter' })).prices).toBeNull();
  });

  it('is told neither to sub-accounts nor of others', async () => {
    expect((await clerk.call('cost/summary', { range: 'month', groupBy: 'meter' })).code).toBe(1004);
    expect((await clerk.call('cost/detail', { range: 'month', userId: tenantId })).code).toBe(1004);
    for (const [client, userId] of [
      [tenant, operatorId],
      [tenant, 'nobody'],
      [operator, 'nobody'],
    ] as const) {
      expect((await client.call('cost/summary', { range: 'month', groupBy: 'meter', userId })).code).toBe(1007);
      expect((await client.call('cost/detail', { range: 'month', userId })).code).toBe(1007);
    }
  });

  it.each([
    ['that begins in the future', { startTime: Date.now() + DAY_MS, endTime: Date.now() + 2 * DAY_MS }],
    ['of more than ten years', { startTime: 0, endTime: Date.now() }],
    ['that ends before it begins', { startTime: 2000, endTime: 1000 }],
    ['without an end', { startTime: 1000 }],
  ])('refuses a range %s', async (_name, given) => {
    expect((await tenant.call('cost/detail', { range: 'custom', ...given })).code).toBe(1003);
  });

  it('takes ten years at once', async () => {
    const now = Date.now();
    const asked = { range: 'custom', startTime: now - 3652 * DAY_MS, endTime: now } as const;
    expect(amountOf(await tenant.ok('cost/summary', { ...asked, groupBy: 'meter' }), 'relayBytes')).toBe('30');
  });

  it.each([
    ['a negative price', { currency: 'EUR', priceList: [{ meter: 'mails', price: -1 }] }],
    ['a huge price', { currency: 'EUR', priceList: [{ meter: 'mails', price: 1e9 }] }],
    [
      'one meter twice',
      { currency: 'EUR', priceList: Array.from({ length: 2 }, () => ({ meter: 'mails', price: 1 })) },
    ],
    ['no currency', { currency: 'euro', priceList: [] }],
    ['an unknown meter', { currency: 'EUR', priceList: [{ meter: 'heat', price: 1 }] }],
  ])('refuses %s', async (_name, prices) => {
    expect((await operator.raw('cost/price/set', { prices })).code).toBe(1003);
  });
});

describe('[RS-05] a monthly quota', () => {
  const watch = (client: CallClient) => client.call('media/url', { deviceSerial: camera, channelNo: 1, quality: 0 });
  const setLimit = (limit: number | null) =>
    operator.ok('cost/quota/set', { userId: tenantId, quotaList: [{ quota: 'monthStreamMinutes', limit }] });

  it('that is used up refuses viewing by 1011 with figures, until it is raised; what is recorded goes on', async () => {
    const used = Number(await amount(tenant, 'streamMinutes'));
    expect(used).toBeGreaterThan(0);
    await setLimit(used + 1);
    expect((await watch(tenant)).code).toBe(200);
    await report(traffic(camera, { bytes: 1, minutes: 1 }));
    await run();
    const exceeded: QuotaExceeded = { quota: 'monthStreamMinutes', limit: used + 1, used: used + 1 };
    for (const client of [tenant, clerk]) expect(await watch(client)).toMatchObject({ code: 1011, data: exceeded });
    expect(site.assigned.get(camera)).toBeDefined();
    const { resourceList } = await tenant.ok('resource/list', {});
    const minutes = resourceList.find(({ resource }) => resource === 'streamMinutes');
    expect(minutes).toMatchObject({ used: used + 1, total: used + 1, unit: 'minutes' });
    expect(minutes?.endTime).toBeGreaterThan(Date.now());
    const { quotaList } = await tenant.ok('quota/list', {});
    expect(quotaList.find(({ quota }) => quota === 'monthStreamMinutes')).toMatchObject({
      ...exceeded,
      setFor: 'account',
    });
    await setLimit(null);
    expect((await watch(tenant)).code).toBe(200);
  });

  it('of zero refuses from the start, and no quota of another account', async () => {
    await operator.ok('cost/quota/set', { userType: 'ordinary', quotaList: [{ quota: 'monthEgressBytes', limit: 0 }] });
    expect((await watch(tenant)).code).toBe(1011);
    expect((await operator.call('media/url', { deviceSerial: other, channelNo: 1, quality: 0 })).code).toBe(200);
    await operator.ok('cost/quota/set', {
      userType: 'ordinary',
      quotaList: [{ quota: 'monthEgressBytes', limit: null }],
    });
    expect((await watch(tenant)).code).toBe(200);
  });

  it.each([
    ['a negative limit', { quotaList: [{ quota: 'monthEgressBytes', limit: -1 }] }],
    ['a huge limit', { quotaList: [{ quota: 'monthEgressBytes', limit: 1e16 }] }],
    ['a quota of no month', { quotaList: [{ quota: 'devices', limit: 5 }] }],
    ['an account and a user type', { userType: 'ordinary', quotaList: [{ quota: 'monthEgressBytes', limit: 5 }] }],
  ])('refuses %s', async (_name, given) => {
    expect((await operator.raw('cost/quota/set', { userId: tenantId, ...given })).code).toBe(1003);
  });

  it('is set by the operator alone', async () => {
    const quotaList = [{ quota: 'monthEgressBytes', limit: 5 } as const];
    expect((await tenant.call('cost/quota/set', { userId: tenantId, quotaList })).code).toBe(1004);
    expect((await operator.call('cost/quota/set', { userId: 'nobody', quotaList })).code).toBe(1007);
  });
});
