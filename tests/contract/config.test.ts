// Device configuration by calls, with a scripted site: validation, refusals, timeouts, and a stale edit.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let camera: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.10/1', deviceName: 'Door' })).device.deviceSerial;
});
afterEach(() => site.refusals.clear());
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const dev = () => ({ deviceSerial: camera, channelNo: 1 });
const image = () => ({ ...dev(), section: 'image' as const });

it('[DC-09] answers 1006 for a missing section, 2316 for a refusal, 2317 for silence', async () => {
  for (const [code, data] of [
    [1006, {}],
    [2316, { reason: 'fault', fault: 'ter:SettingsInvalid' }],
    [2317, { reason: 'timeout' }],
  ] as const) {
    site.refusals.set('configRead', { code, data });
    site.refusals.set('configWrite', { code, data });
    expect(await operator.call('config/get', image())).toMatchObject({ code, data });
    const change = { ...image(), value: { brightness: 60 }, version: 'v1' };
    expect(await operator.call('config/set', change)).toMatchObject({ code, data });
  }
});

it('[DC-09] a stale edit is refused with the newer value', async () => {
  const newer = { section: 'image', value: { brightness: 70 }, version: 'v2', capabilities: {} };
  site.refusals.set('configWrite', { code: 1010, data: newer });
  const answer = await operator.call('config/set', { ...image(), value: { brightness: 60 }, version: 'v1' });
  expect([answer.code, answer.data]).toEqual([1010, newer]);
});

it('refuses invalid values at their field before any device is asked', async () => {
  const bad: readonly (readonly [object, string])[] = [
    [{ brightness: 'much' }, 'value.brightness'],
    [{ volume: 3 }, 'value.volume'],
    [{ dayNight: 'x'.repeat(65) }, 'value.dayNight'],
  ];
  site.refusals.set('configWrite', { code: 2316, data: { reason: 'fault' } });
  for (const [value, field] of bad) {
    const answer = await operator.call('config/set', { ...image(), value: { ...value }, version: 'v1' });
    expect(answer.code, field).toBe(1003);
    expect(Object.keys(answer.data as object)).toEqual([field]);
  }
});

it('[EN-05] refuses configuring to an account that may only view', async () => {
  await operator.ok('user/add', { username: 'viewer', password: 'Visit-2026', userType: 2 });
  await operator.ok('share/add', { account: 'viewer', items: [dev()], permission: ['videoView'] });
  const viewer = await server.signIn('viewer', 'Visit-2026');
  expect((await viewer.call('config/get', image())).code).toBe(1004);
  expect((await viewer.call('config/list', dev())).code).toBe(1004);
});

it('[DC-01] keeps a weekly plan for cameras without one: no motion alarms outside it; a stale plan is refused', async () => {
  const motion = { ...dev(), section: 'motion' as const };
  site.configState = {
    section: 'motion',
    value: { on: true, sensitivity: 50 },
    version: 'm1',
    capabilities: { on: {}, sensitivity: { min: 0, max: 100 } },
  };
  const before = await operator.ok('config/get', motion);
  expect(before.capabilities['plan']).toEqual({ most: 8, hasHoliday: false });
  expect(before.value['plan']).toHaveLength(7);
  const never = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, entryList: [] }));
  const saved = await operator.ok('config/set', { ...motion, value: { plan: never }, version: before.version });
  expect(saved.value['plan']).toEqual(never);
  expect(saved.version).not.toBe(before.version);
  const late = await operator.call('config/set', { ...motion, value: { plan: [] }, version: before.version });
  expect(late).toMatchObject({ code: 1010, data: { version: saved.version, value: { plan: never } } });
  const overlapping = [{ day: 1, entryList: [entry('08:00:00', '12:00:00'), entry('11:00:00', '13:00:00')] }];
  const bad = await operator.call('config/set', { ...motion, value: { plan: overlapping }, version: saved.version });
  expect(bad).toMatchObject({ code: 1003, data: { 'value.plan': 'notAllowed' } });
  const alarms = async () => (await operator.ok('alarm/list', { types: ['MotionAlarm'] })).alarmList.length;
  await site.reportEvent(camera, { topic: 'tns1:VideoSource/MotionAlarm' });
  expect(await alarms()).toBe(0);
  const always = never.map(({ day }) => ({ day, entryList: [entry('00:00:00', '23:59:59')] }));
  await operator.ok('config/set', { ...motion, value: { plan: always }, version: saved.version });
  await site.reportEvent(camera, { topic: 'tns1:VideoSource/MotionAlarm' });
  expect(await alarms()).toBe(1);
});

function entry(StartTime: string, EndTime: string) {
  return { StartTime, EndTime };
}
