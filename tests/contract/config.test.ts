// Configuration over the contract, with a scripted site: forms, refusals, silence, and an edit that came too late.
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

it('[DC-09] a lacking section is 1006, a refusal 2316, silence 2317', async () => {
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

it('what is no value of the section is refused at its field, before any device is asked', async () => {
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

it('[EN-05] who may only watch may not configure', async () => {
  await operator.ok('user/add', { username: 'viewer', password: 'Visit-2026', userType: 2 });
  await operator.ok('share/add', { account: 'viewer', items: [dev()], permission: ['videoView'] });
  const viewer = await server.signIn('viewer', 'Visit-2026');
  expect((await viewer.call('config/get', image())).code).toBe(1004);
  expect((await viewer.call('config/list', dev())).code).toBe(1004);
});
