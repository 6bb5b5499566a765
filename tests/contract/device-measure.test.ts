// Measures of devices in lists: what the site counts and stores, for those who may see it.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let camera: string;
let counting: NodeJS.Timeout;
let onlineAt: number;
const RECORDED_AT = 1_700_000_500_000;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.10/1', deviceName: 'Gate' })).device.deviceSerial;
  const started = Date.now();
  const stream = (quality: number, bytes: number) => ({
    deviceSerial: camera,
    channelNo: 1,
    quality,
    state: 'playing',
    reason: null,
    lastFrameAt: Date.now(),
    counters: { bytes },
  });
  // 100 and 25 kilobytes a second: a megabit in both streams.
  counting = setInterval(() => {
    const passed = Date.now() - started;
    site.streams = [stream(0, passed * 100), stream(1, passed * 25)];
  }, 20);
});
afterAll(async () => {
  clearInterval(counting);
  await site?.hangUp();
  await server?.stop();
});

async function measureOf(
  caller: CallClient,
): Promise<CallOutput<'device/measure/list'>['measureList'][number] | undefined> {
  return (await caller.ok('device/measure/list', { deviceSerialList: [camera, 'MISSING0'] })).measureList[0];
}

it('says bit rate, since when it is connected, and its last recording', async () => {
  const channelId = site.assigned.get(camera)?.channels[0]?.channelId ?? '';
  site.channelUses = [{ channelId, usedBytes: 1, bytesPerDay: null, oldestAt: 1, newestAt: RECORDED_AT }];
  site.report({ kind: 'deviceStatus', deviceSerial: camera, status: 0, reason: 'unreachable', at: Date.now() });
  await waitFor('the device to be offline', async () => (await measureOf(operator))?.onlineSince === null);
  onlineAt = Date.now();
  site.report({ kind: 'deviceStatus', deviceSerial: camera, status: 1, reason: null, at: onlineAt });
  await waitFor('the device to be online', async () => (await measureOf(operator))?.onlineSince === onlineAt);
  await waitFor('a bit rate', async () => ((await measureOf(operator))?.kbps ?? 0) > 0, 20_000);
  const measure = await measureOf(operator);
  expect(measure?.kbps).toBeGreaterThan(700);
  expect(measure?.kbps).toBeLessThan(1400);
  expect(measure?.lastRecordingAt).toBe(RECORDED_AT);
});

it('sorts devices by the time of their status', async () => {
  await operator.ok('device/add', { target: 'rtsp://192.0.2.11/1', deviceName: 'Annex' });
  const [first] = (await operator.ok('device/list', { sortBy: 'statusSince', sortOrder: 'asc' })).deviceList;
  expect(first?.deviceSerial).toBe(camera);
});

it('says to others only what they may see: no recording without the right, no bit rate of a whole device for one channel', async () => {
  for (const name of ['viewer', 'player', 'stranger'])
    await operator.ok('user/add', { username: name, password: 'Visit-2026', userType: 2 });
  const channel = { deviceSerial: camera, channelNo: 1 };
  await operator.ok('share/add', { account: 'viewer', items: [{ deviceSerial: camera }], permission: ['videoView'] });
  await operator.ok('share/add', { account: 'player', items: [channel], permission: ['videoView', 'videotapeView'] });
  const viewer = await measureOf(await server.signIn('viewer', 'Visit-2026'));
  expect(viewer).toMatchObject({ onlineSince: onlineAt, lastRecordingAt: null });
  expect(viewer?.kbps).toBeGreaterThan(0);
  const player = await measureOf(await server.signIn('player', 'Visit-2026'));
  expect(player).toMatchObject({ kbps: null, lastRecordingAt: RECORDED_AT });
  const stranger = await server.signIn('stranger', 'Visit-2026');
  expect((await stranger.ok('device/measure/list', { deviceSerialList: [camera] })).measureList).toEqual([]);
});
