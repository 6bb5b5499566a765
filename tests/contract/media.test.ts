// Live view, snapshots, recordings and changed device addresses, with a scripted site.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { SCRIPTED_RTSP_PORT, ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let camera: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const order = { target: 'rtsp://192.0.2.10/1', deviceName: 'Front door' };
  camera = (await operator.ok('device/add', order)).device.deviceSerial;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

describe('media and recordings', () => {
  const dev = () => ({ deviceSerial: camera, channelNo: 1 });

  it('[LV-01] [ST-06] returns tickets for WebSocket, HLS and RTSP, each bound to session, channel and action', async () => {
    const answer = await operator.ok('media/url', { ...dev(), quality: 2 });
    expect(answer.p2pUrl).toBe(`ws://localhost:8443/media/live#${answer.ticket}`);
    expect(answer).toMatchObject({ forwardUrl: answer.p2pUrl, codec: 'h264', quality: 1 });
    expect(answer.hlsUrl).not.toContain(answer.ticket);
    expect(answer.rtspUrl).toMatch(new RegExp(`^rtsp://localhost:${SCRIPTED_RTSP_PORT}/[\\w-]{43}$`));
    expect(answer.rtspUrl).not.toContain(answer.ticket);
    const userId = (await operator.ok('account/info', {})).userId;
    const grants = site.ticketsOf(userId).filter((grant) => grant.quality === 1);
    expect(grants.map((grant) => [grant.kind, grant.deviceSerial, grant.until])).toEqual([
      ['live', camera, null],
      ['hls', camera, null],
      ['rtsp', camera, null],
    ]);
    expect(JSON.stringify([...site.tickets.values()])).not.toContain(answer.ticket);
  });

  it('[LV-09] returns a snapshot of a channel by a ticket of its own type', async () => {
    const { url } = await operator.ok('capture/get', dev());
    expect(url).toMatch(/^http:\/\/localhost:8443\/media\/snapshot\/[\w-]{43}$/);
    expect([...site.tickets.values()].at(-1)).toMatchObject({ kind: 'snapshot', deviceSerial: camera, channelNo: 1 });
    const missing = await operator.call('capture/get', { deviceSerial: camera, channelNo: 2 });
    expect(missing.code).toBe(1009);
  });

  it('[PM-03] an offline camera has no live video and gives nothing of its own storage, but our recordings play', async () => {
    site.report({ kind: 'deviceStatus', deviceSerial: camera, status: 0, reason: 'unreachable', at: Date.now() });
    const offline = await waitFor('the camera to be offline', async () => {
      const answer = await operator.call('media/url', dev());
      return answer.code === 2317 && answer;
    });
    expect(offline.data).toEqual({ reason: 'unreachable' });
    expect((await operator.call('capture/get', dev())).code).toBe(2317);
    site.spans = [{ startTime: 1_000_000, endTime: 1_500_000, recordType: 1 }];
    const played = await operator.ok('record/hls', { ...dev(), startTime: 1_000_000, endTime: 1_600_000 });
    expect(played.url).toMatch(/\/media\/hls\/[\w-]{43}\/index\.m3u8$/);
    const raw = await operator.ok('record/url', { ...dev(), startTime: 1_000_000, endTime: 1_600_000 });
    expect(raw.url).toMatch(/\/media\/fragments\/[\w-]{43}$/);
    const own = { ...dev(), startTime: 1_000_000, endTime: 1_600_000, srcType: 2 };
    for (const path of ['record/query', 'record/url', 'record/hls'] as const) {
      expect(await operator.call(path, own), path).toMatchObject({ code: 2317, data: { reason: 'unreachable' } });
    }
    expect((await operator.ok('record/query', { ...own, srcType: 0 })).recordList).toMatchObject([{ srcType: 1 }]);
    site.report({ kind: 'deviceStatus', deviceSerial: camera, status: 1, reason: null, at: Date.now() });
    await waitFor('the camera to be back', async () => (await operator.call('media/url', dev())).code === 200);
    const { device } = await operator.ok('device/get', { deviceSerial: camera });
    expect(device.latestOnline).toBeGreaterThan(Date.now() - 60_000);
  });

  it('[LM-07] [SE-46] a window is 1 ms to 600 s long and not reversed', async () => {
    const from = 1_000_000;
    const code = async (startTime: number, endTime: number) =>
      (await operator.call('record/hls', { ...dev(), startTime, endTime })).code;
    expect(await code(from, from + 600_000)).toBe(200);
    expect(await code(from, from + 600_001)).toBe(1003);
    expect(await code(from, from)).toBe(1003);
    expect(await code(from, from - 1)).toBe(1003);
    expect(await code(-1, from)).toBe(1003);
    expect((await operator.raw('record/hls', { ...dev(), startTime: null, endTime: 'x' })).code).toBe(1003);
    site.spans = [];
    expect(await code(from, from + 1000)).toBe(1007);
  });

  it('[LV-06] [EN-21] calendar, spans by source and by type', async () => {
    site.days = ['2026-02-01', '2026-02-28', '2026-03-01'];
    const month = { ...dev(), year: 2026, month: 2, timeZone: 'Asia/Shanghai' };
    const { dailyList } = await operator.ok('record/calendar', month);
    expect(dailyList.flatMap((flag, index) => (flag === 1 ? [index + 1] : []))).toEqual([1, 28]);
    // A channel of which only the second stream is recorded has days too.
    site.daysOfQuality = 1;
    expect((await operator.ok('record/calendar', month)).dailyList).toEqual(dailyList);
    site.daysOfQuality = null;
    expect((await operator.call('record/calendar', { ...month, timeZone: 'Mars/Base' })).code).toBe(1003);
    expect((await operator.ok('record/calendar', { ...month, srcType: 1 })).dailyList).toEqual(dailyList);
    site.spans = [
      { startTime: 10, endTime: 20, recordType: 1 },
      { startTime: 30, endTime: 40, recordType: 2 },
    ];
    const range = { ...dev(), startTime: 0, endTime: 100 };
    expect((await operator.ok('record/query', range)).recordList.map((item) => item.srcType)).toEqual([1, 1]);
    expect((await operator.ok('record/query', { ...range, srcType: 1 })).total).toBe(2);
    expect(await operator.ok('record/time', { ...range, recordType: 2 })).toMatchObject({ total: 1, code: 200 });
  });

  it("[LV-06] [EN-21] [ST-07] recordings on the device's storage are merged after ours, alone, or omitted", async () => {
    const range = { ...dev(), startTime: 0, endTime: 100_000 };
    site.spans = [{ startTime: 20_000, endTime: 40_000, recordType: 1, isFilled: true }];
    // What keeps nothing has nothing with `auto`, and says so where it alone is asked.
    expect((await operator.ok('record/query', range)).recordList).toHaveLength(1);
    expect((await operator.call('record/query', { ...range, srcType: 2 })).code).toBe(1006);
    site.deviceSpans = [{ startTime: 10_000, endTime: 60_000 }];
    site.days = ['2026-02-03'];
    site.deviceDays = ['2026-02-02'];
    const spansOf = async (srcType: 0 | 1 | 2) => {
      const { recordList } = await operator.ok('record/query', { ...range, srcType });
      return recordList.map((item) => [item.startTime / 1000, item.endTime / 1000, item.srcType]);
    };
    expect(await spansOf(0)).toEqual([
      [10, 20, 2],
      [20, 40, 1],
      [40, 60, 2],
    ]);
    expect(await spansOf(1)).toEqual([[20, 40, 1]]);
    expect(await spansOf(2)).toEqual([[10, 60, 2]]);
    expect((await operator.ok('record/query', range)).recordList.map((item) => item.isFilled)).toEqual([
      undefined,
      true,
      undefined,
    ]);
    const daysOf = async (srcType: 0 | 1 | 2) => {
      const month = { ...dev(), year: 2026, month: 2, timeZone: 'UTC', srcType };
      const { dailyList } = await operator.ok('record/calendar', month);
      return dailyList.flatMap((flag, at) => (flag === 1 ? [at + 1] : []));
    };
    expect(await Promise.all([daysOf(0), daysOf(1), daysOf(2)])).toEqual([[2, 3], [3], [2]]);
  });

  it("[ST-07] a window of the device's storage gets a ticket that says so", async () => {
    site.spans = [{ startTime: 20_000, endTime: 40_000, recordType: 1 }];
    site.deviceSpans = [{ startTime: 10_000, endTime: 60_000 }];
    const range = { ...dev(), startTime: 0, endTime: 100_000 };
    const footage = async (path: 'record/url' | 'record/hls', more: object = {}) => {
      await operator.ok(path, { ...range, ...more });
      return [...site.tickets.values()].at(-1)?.footage;
    };
    expect(await footage('record/url')).toBe('both');
    // A playlist is of one kind, that of its first record, and ends where the other begins.
    expect(await footage('record/hls')).toBe('device');
    expect([...site.tickets.values()].at(-1)?.range).toEqual({ startTime: 0, endTime: 20_000 });
    expect(await footage('record/hls', { startTime: 20_000 })).toBeUndefined();
    expect([...site.tickets.values()].at(-1)?.range).toEqual({ startTime: 20_000, endTime: 40_000 });
    expect(await footage('record/hls', { srcType: 2 })).toBe('device');
    expect(await footage('record/url', { srcType: 1 })).toBeUndefined();
    // What is whole here needs no device.
    expect(await footage('record/url', { startTime: 20_000, endTime: 40_000 })).toBeUndefined();
    site.spans = [];
    expect(await footage('record/hls')).toBe('device');
    site.refusals.set('deviceRecordings', { code: 2317, data: { reason: 'timeout' } });
    expect((await operator.call('record/url', { ...range, srcType: 2 })).code).toBe(2317);
    expect((await operator.call('record/url', range)).code).toBe(1007);
    site.refusals.clear();
    site.deviceSpans = null;
  });

  it('[LV-05] streams, keyframe and capabilities', async () => {
    expect((await operator.ok('stream/list', dev())).total).toBe(2);
    expect((await operator.call('keyframe/invoke', dev())).code).toBe(200);
    const capacity = await operator.ok('channel/capacity', dev());
    expect(capacity.mediaCapacity).toEqual({ supportCdn: false, supportLive: true });
    expect((await operator.call('device/capacity', { deviceSerial: 'NONE' })).code).toBe(1009);
  });
});

describe('new addresses and credentials', () => {
  it('[SE-65] [DM-01] are probed before they are stored; a new address never gets the old password', async () => {
    const { device } = await operator.ok('device/add', {
      target: 'rtsp://192.0.2.50/1',
      user: 'viewer',
      password: 'first-secret',
      deviceName: 'Wandering',
    });
    const { deviceSerial } = device;
    await operator.ok('device/update', { deviceSerial, password: 'second-secret' });
    expect(site.probed.at(-1)).toMatchObject({
      target: 'rtsp://192.0.2.50/1',
      user: 'viewer',
      password: 'second-secret',
    });
    expect(site.assigned.get(deviceSerial)?.password).toBe('second-secret');
    await operator.ok('device/update', { deviceSerial, target: 'rtsp://192.0.2.51/1' });
    expect(site.probed.at(-1)).toMatchObject({ target: 'rtsp://192.0.2.51/1', user: '', password: '' });
    expect(site.assigned.get(deviceSerial)).toMatchObject({ user: '', native: { urls: ['rtsp://192.0.2.51/1'] } });
    site.refusals.set('probe', { code: 2317, data: { reason: 'timeout' } });
    const silent = await operator.call('device/update', { deviceSerial, target: 'rtsp://192.0.2.52/1' });
    expect(silent).toMatchObject({ code: 2317, data: { reason: 'timeout' } });
    site.refusals.clear();
    expect((await operator.ok('device/get', { deviceSerial })).device.address).toBe('192.0.2.51');
    await operator.ok('device/delete', { deviceSerial });
  });
});
