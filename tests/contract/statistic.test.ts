// Statistics over the real server and database: counted from what sites report, summed by hours, days and months, shown by rights.
import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@vedette/foundation/units/durations.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import type { StatisticFigureName, Statistics } from '@vedette/contract/calls/statistic.ts';
import type { SiteEvent } from '@vedette/contract/site/site.ts';
import type { ChannelUse } from '@vedette/contract/site/site-storage-use.ts';
import type { TrafficAmount } from '@vedette/contract/site/site-traffic.ts';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseConnection, openDatabase } from '../../server/database/connection.ts';
import { dayOf, makePartition } from '../../server/database/alarm/alarm-partitions.ts';
import { insertUnknownStatus } from '../../server/database/statistic/hour-store.queries.ts';
import { StatisticJobs } from '../../server/statistic/statistic-jobs.ts';
import { storageUse } from '../../server/statistic/storage-use.ts';
import type { SitePort } from '../../server/site-link/site-port.ts';
import { waitFor } from '../harness/wait-for.ts';
import { deviceEvent, ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

const INPUT = 'tns1:Device/Trigger/DigitalInput';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let guest: CallClient;
let connection: DatabaseConnection;
let camera: string;
let recorder: string;
let now: number;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  connection = openDatabase({ url: server.database.url, onError: () => undefined });
  const yard = (await operator.ok('org/add', { organizationName: 'Yard' })).organizationId;
  const add = async (target: string, deviceName: string, organizationId: string) =>
    (await operator.ok('device/add', { target, deviceName, organizationId })).device.deviceSerial;
  camera = await add('rtsp://192.0.2.1/1', 'Gate', yard);
  recorder = await add('rtsp://192.0.2.2:554/4', 'Recorder', '0');
  await operator.ok('user/add', { username: 'guest', password: 'Secret-1', userType: 2 });
  guest = await server.signIn('guest', 'Secret-1');
  const items = [{ deviceSerial: recorder, channelNo: 2 }];
  await operator.ok('share/add', { account: 'guest', items, permission: ['alarmPush', 'videoView'] });
  now = Date.now();
  // As on every server that ran on these days.
  for (const daysAgo of [1, 2]) await makePartition(connection.database, dayOf(now) - daysAgo);
});
afterAll(async () => {
  await connection?.database.destroy();
  await site?.hangUp();
  await server?.stop();
});

async function report(...events: readonly SiteEvent[]): Promise<void> {
  const seq = events.map((event) => site.report(event)).at(-1) ?? 0;
  await waitFor(`event ${seq} to be stored`, () => site.acknowledged.some((acknowledged) => acknowledged >= seq));
}

/** `uses`: what the site says that recordings take. */
async function count(uses: readonly ChannelUse[] = []): Promise<void> {
  const call = (async () => ({ channels: uses })) as unknown as SitePort['call'];
  const sites = { here: () => [{ siteId: 'local', site: { call } as SitePort }] };
  const parts = { database: connection.database, clock: systemClock, log: pino({ enabled: false }) };
  await storageUse({ ...parts, sites }).measure();
  await new StatisticJobs({ ...parts, timeZone: 'UTC' }).run();
}

const figure = ({ figureList }: Statistics, name: StatisticFigureName): number | null | undefined =>
  figureList.find((one) => one.figure === name)?.value;
const rowsOf = ({ breakdownList }: Statistics, name: string) =>
  breakdownList.find(({ breakdown }) => breakdown === name)?.rowList ?? [];

function status(deviceSerial: string, online: 0 | 1, at: number): SiteEvent {
  return { kind: 'deviceStatus', deviceSerial, status: online, reason: online === 1 ? null : 'timeout', at };
}

function traffic(deviceSerial: string, amounts: readonly TrafficAmount[], eventId: string = randomUUID()): SiteEvent {
  return { kind: 'traffic', deviceSerial, eventId, at: Date.now(), amounts };
}

describe('[RS-06] statistics', () => {
  it('tell how long devices were online, by organisation, type, device and reason', async () => {
    await report(
      status(camera, 1, now - 4 * HOUR_MS),
      status(camera, 0, now - 3 * HOUR_MS),
      status(camera, 1, now - 2 * HOUR_MS),
      status(recorder, 1, now - 4 * HOUR_MS),
    );
    await count();
    const told = await operator.ok('stat/device', { range: 'day' });
    // Seven of eight hours; what has passed since `now` adds a little of online time.
    expect(figure(told, 'onlineShare')).toBeGreaterThanOrEqual(87.5);
    expect(figure(told, 'onlineShare')).toBeLessThan(88);
    expect(figure(told, 'outages')).toBe(1);
    expect(figure(told, 'offlineMs')).toBe(HOUR_MS);
    expect(rowsOf(told, 'offlineByReason')).toEqual([{ key: 'timeout', name: '', value: HOUR_MS, before: 0 }]);
    expect(rowsOf(told, 'onlineByDevice').map(({ key, name }) => [key, name])).toEqual([
      [camera, 'Gate'],
      [recorder, 'Recorder'],
    ]);
    expect(rowsOf(told, 'onlineByOrganization')[0]?.name).toBe('Yard');
    expect(told.period.timeList).toHaveLength(24);
    expect(told.seriesList[0]?.valueList.at(-1)).toBe(100);
    // Before they were added nothing is known.
    expect(told.seriesList[0]?.valueList[0]).toBeNull();
  });

  it('count the same again, whatever is counted twice', async () => {
    await count();
    const first = await operator.ok('stat/device', { range: 'week' });
    await count();
    await count();
    const again = await operator.ok('stat/device', { range: 'week' });
    expect(figure(again, 'offlineMs')).toBe(figure(first, 'offlineMs'));
    expect(figure(again, 'outages')).toBe(1);
  });

  it('count what a site reports late in the hours where it happened', async () => {
    const late = (await operator.ok('device/add', { target: 'rtsp://192.0.2.9/1', deviceName: 'Late' })).device
      .deviceSerial;
    await count();
    await report(status(late, 1, now - 30 * HOUR_MS), status(late, 0, now - 29 * HOUR_MS), status(late, 1, now));
    await count();
    const told = await operator.ok('stat/device', {
      range: 'custom',
      startTime: now - 31 * HOUR_MS,
      endTime: now,
    });
    const row = rowsOf(told, 'onlineByDevice').find(({ key }) => key === late);
    expect(row?.value).toBeGreaterThan(3);
    expect(row?.value).toBeLessThan(6);
    await operator.ok('device/delete', { deviceSerial: late });
  });

  it('leave out the time in which a site was away, unless it tells what its devices were meanwhile', async () => {
    const away = (await operator.ok('device/add', { target: 'rtsp://192.0.2.8/1', deviceName: 'Away' })).device
      .deviceSerial;
    const known = async () => {
      await count();
      const day = await operator.ok('stat/device', { range: 'day' });
      return rowsOf(day, 'onlineByDevice').find(({ key }) => key === away)?.value;
    };
    const { rows } = await connection.pool.query('select device_id from device where device_serial = $1', [away]);
    await report(status(away, 0, now - 4 * HOUR_MS), status(away, 1, now - 3 * HOUR_MS));
    await insertUnknownStatus(connection.database, [rows[0].device_id], now - 2 * HOUR_MS);
    // One hour of each; the rest is unknown.
    expect(await known()).toBe(50);
    await report(status(away, 0, now - 2.5 * HOUR_MS));
    // Half an hour of four, and of what has passed meanwhile.
    expect(await known()).toBeGreaterThan(12);
    expect(await known()).toBeLessThanOrEqual(12.5);
    await operator.ok('device/delete', { deviceSerial: away });
  });

  it('tell alarms by type and device, and how soon they were acknowledged', async () => {
    await report(
      deviceEvent(camera, { topic: INPUT, key: 'a', at: now - 2 * MINUTE_MS }),
      deviceEvent(recorder, { topic: INPUT, key: 'b', at: now - MINUTE_MS, channelNo: 1 }),
      deviceEvent(recorder, { topic: INPUT, key: 'c', at: now - MINUTE_MS, channelNo: 2 }),
    );
    const { alarmList } = await operator.ok('alarm/list', { types: ['InputAlarm'] });
    const gate = alarmList.filter(({ deviceSerial }) => deviceSerial === camera);
    await operator.ok('alarm/ack', { alarmIds: gate.map(({ alarmId }) => alarmId) });
    await count();
    const told = await operator.ok('stat/alarm', { range: 'day' });
    expect(rowsOf(told, 'alarmsByType')).toContainEqual({ key: 'InputAlarm', name: '', value: 3, before: 0 });
    const devices = rowsOf(told, 'alarmsByDevice');
    expect(devices.find(({ key }) => key === camera)?.name).toBe('Gate');
    expect(figure(told, 'acknowledgeMs')).toBeGreaterThanOrEqual(2 * MINUTE_MS);
    expect(figure(told, 'acknowledgeMs')).toBeLessThan(10 * MINUTE_MS);
    const week = rowsOf(told, 'alarmsByHourOfWeek');
    expect(week.reduce((sum, { value }) => sum + (value ?? 0), 0)).toBe(figure(told, 'alarms'));
  });

  it('count traffic that is reported twice once, and that of each report', async () => {
    const userId = '';
    const sent = { channelNo: 1, direction: 'in', userId, bytes: 1000 } as const;
    const twice = traffic(recorder, [sent], 'traffic-twice');
    await report(twice, twice);
    await report(twice);
    const operatorId = (await operator.ok('account/info', {})).userId;
    await report(
      traffic(recorder, [sent, { channelNo: 1, direction: 'out', userId: operatorId, bytes: 300 }]),
      traffic(recorder, [{ channelNo: 2, direction: 'out', userId: operatorId, bytes: 50 }]),
    );
    await count();
    const told = await operator.ok('stat/traffic', { range: 'week' });
    expect(figure(told, 'inBytes')).toBe(2000);
    expect(figure(told, 'outBytes')).toBe(350);
    expect(rowsOf(told, 'trafficByViewer')).toEqual([{ key: OPERATOR.username, name: '', value: 350, before: 0 }]);
    expect(rowsOf(told, 'trafficByChannel').map(({ key, value }) => [key, value])).toEqual([
      [`${recorder} 1`, 2300],
      [`${recorder} 2`, 50],
    ]);
  });

  it('tell what recordings take and how many days they reach back, of channels that exist', async () => {
    const channelId = site.assigned.get(camera)?.channels[0]?.channelId ?? '';
    const use = { bytesPerDay: 500, oldestAt: now - 60 * HOUR_MS, newestAt: now };
    await count([
      { ...use, channelId, usedBytes: 1000 },
      { ...use, channelId: 'nobody', usedBytes: 9000 },
    ]);
    const told = await operator.ok('stat/storage', { range: 'week' });
    expect(figure(told, 'usedBytes')).toBe(1000);
    expect(rowsOf(told, 'storageByChannel')).toMatchObject([{ key: `${camera} 1`, value: 1000, before: null }]);
    expect(figure(told, 'keptDays')).toBeCloseTo(2.5, 1);
    expect(told.seriesList[0]?.valueList.at(-1)).toBe(1000);
  });

  it('tell a guest of its shared channel alone, and of nobody who watches', async () => {
    const alarms = await guest.ok('stat/alarm', { range: 'day' });
    // The server may notice problems of its own meanwhile.
    const inputs = rowsOf(alarms, 'alarmsByType').filter(({ key }) => key === 'InputAlarm');
    expect(inputs.map(({ value }) => value)).toEqual([1]);
    const told = await guest.ok('stat/traffic', { range: 'day' });
    expect(figure(told, 'outBytes')).toBe(50);
    expect(rowsOf(told, 'trafficByViewer')).toEqual([]);
    expect(rowsOf(await guest.ok('stat/device', { range: 'day' }), 'onlineByDevice').map(({ key }) => key)).toEqual([
      recorder,
    ]);
    expect(figure(await guest.ok('stat/storage', { range: 'day' }), 'usedBytes')).toBeNull();
  });

  it('sum up to months, which an overview tells', async () => {
    const told = await operator.ok('stat/overview', {
      range: 'custom',
      startTime: now - 300 * 24 * HOUR_MS,
      endTime: now,
    });
    expect(told.period.grain).toBe('month');
    expect(figure(told, 'inBytes')).toBe(2000);
    expect(figure(told, 'outages')).toBe(1);
    expect(told.seriesList.map(({ series }) => series)).toEqual(['onlineShare', 'alarms', 'usedBytes', 'inBytes']);
  });

  it('leave behind what was counted under an owner who gives the device away', async () => {
    const before = await operator.ok('stat/traffic', { range: 'day' });
    expect(rowsOf(before, 'trafficByChannel').length).toBeGreaterThan(0);
    await operator.ok('user/add', { username: 'taker', password: 'Secret-1', userType: 2 });
    const taker = await server.signIn('taker', 'Secret-1');
    await operator.ok('device/transfer', { deviceSerial: recorder, account: 'taker' });
    const offer = (await taker.ok('device/transfer/list', {})).transferList[0];
    await taker.ok('device/transfer/accept', { transferId: offer?.transferId ?? '' });
    await count();
    expect(figure(await taker.ok('stat/traffic', { range: 'day' }), 'inBytes')).toBe(0);
    expect(figure(await taker.ok('stat/alarm', { range: 'day' }), 'alarms')).toBe(0);
    expect(rowsOf(await operator.ok('stat/traffic', { range: 'day' }), 'trafficByChannel')).toEqual([]);
  });
});

describe('[RS-06] bad ranges', () => {
  const custom = (startTime?: number, endTime?: number): CallInput<'stat/device'> => ({
    range: 'custom',
    ...(startTime !== undefined && { startTime }),
    ...(endTime !== undefined && { endTime }),
  });
  const YEARS_10 = 3653 * 24 * HOUR_MS;

  it.each([
    ['no start', () => custom(undefined, now), 'startTime'],
    ['no end', () => custom(now), 'endTime'],
    ['an end before the start', () => custom(now, now - 1), 'endTime'],
    ['nothing in it', () => custom(now - 1, now - 1), 'endTime'],
    ['more than ten years', () => custom(now - YEARS_10 - 1, now), 'startTime'],
    ['a start in the future', () => custom(now + HOUR_MS, now + 2 * HOUR_MS), 'startTime'],
    ['a start of a week', (): CallInput<'stat/device'> => ({ range: 'week', startTime: now }), 'startTime'],
  ])('refuse %s', async (_name, input, field) => {
    const answer = await operator.call('stat/device', input());
    expect(answer.code).toBe(1003);
    expect(Object.keys(answer.data as object)).toEqual([field]);
  });

  it('refuse a zone, since days are those of the installation', async () => {
    const input = { range: 'week', timeZone: 'Mars/Olympus' } as unknown as CallInput<'stat/device'>;
    expect((await operator.call('stat/device', input)).code).toBe(1003);
  });

  it.each([
    ['ten years', () => custom(now - YEARS_10, now), 121],
    ['the first days of 1970', () => custom(0, 1000), 1],
    ['an end far in the future', () => custom(now, now + 300 * 24 * HOUR_MS), 11],
  ])('answer %s by months', async (_name, input, least) => {
    const { period, seriesList } = await operator.ok('stat/device', input());
    expect(period.timeList.length).toBeGreaterThanOrEqual(least - 1);
    expect(period.timeList.length).toBeLessThanOrEqual(least + 1);
    expect(seriesList[0]?.valueList).toHaveLength(period.timeList.length);
    expect(seriesList[0]?.beforeList).toHaveLength(period.timeList.length);
  });
});
