// The rule action that shows a camera on walls: whose pages are told, whose rules may do so, and what is refused.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AlarmRuleAction } from '@vedette/contract/calls/alarm-rule.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import type { PushEvent, PushMessage } from '@vedette/contract/calls/page-events.ts';
import type { RaisedAlarmType } from '@vedette/contract/alarm-types.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

type AlarmWindowEvent = Extract<PushEvent, { kind: 'alarmWindow' }>;

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let viewer: CallClient;
let listener: CallClient;
let camera: string;
let radar: string;
let reported = 0;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const add = async (target: string, deviceType: number) =>
    (await operator.ok('device/add', { target, deviceName: target, deviceType })).device.deviceSerial;
  camera = await add('rtsp://192.0.2.1/1', DEVICE_TYPE.IPC);
  radar = await add('rtsp://192.0.2.2/1', DEVICE_TYPE.RADAR);
  const items = [camera, radar].map((deviceSerial) => ({ deviceSerial, channelNo: 1 }));
  for (const [username, permission] of [
    ['viewer', ['alarmPush', 'videoView']],
    ['listener', ['alarmPush']],
  ] as const) {
    await operator.ok('user/add', { username, password: 'Secret-1', userType: 2 });
    await operator.ok('share/add', { account: username, items, permission: [...permission] });
  }
  viewer = await server.signIn('viewer', 'Secret-1');
  listener = await server.signIn('listener', 'Secret-1');
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function openPage({ accessToken }: CallClient) {
  const socket = server.webSocket('/ws');
  const heard: AlarmWindowEvent[] = [];
  let isWelcome = false;
  socket.on('message', (raw: Buffer) => {
    const message = JSON.parse(raw.toString('utf8')) as PushMessage;
    isWelcome ||= message.type === 'welcome';
    if (message.type === 'event' && message.event.kind === 'alarmWindow') heard.push(message.event);
  });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken })));
  await waitFor('the welcome', () => isWelcome);
  return { heard, close: () => socket.close() };
}

const shows = (walls: 'own' | 'viewers'): AlarmRuleAction => ({ kind: 'wall', seconds: 20, walls });

function ruleOf(type: RaisedAlarmType, action: AlarmRuleAction): CallInput<'alarm/rule/save'> {
  const always = { isEnabled: true, groups: [], leastSeverity: 'info', sources: [] } as const;
  const fields = { name: 'R', ...always, groups: [], sources: [], plan: null, timeZone: 'UTC', pauseS: 0 };
  return { ...fields, types: [type], actions: [action] };
}

async function runs(caller: CallClient, type: RaisedAlarmType, action: AlarmRuleAction, serial = camera) {
  const { ruleId } = (await caller.ok('alarm/rule/save', ruleOf(type, action))).rule;
  reported += 1;
  await site.reportEvent(serial, { topic: `tnsvdt:Alarm/${type}`, key: `k${reported}` });
  const found = async () => (await caller.ok('alarm/delivery/list', { ruleId })).deliveryList[0];
  await waitFor('the end of the action', async () => ((await found())?.state ?? 'waiting') !== 'waiting');
  return await found();
}

it('tells the pages of its owner, or of everyone who may watch the camera', async () => {
  const [own, theirs, deaf] = await Promise.all([openPage(operator), openPage(viewer), openPage(listener)]);
  expect(await runs(operator, 'FireAlarm', shows('own'))).toMatchObject({ state: 'done', action: 'wall' });
  expect(await runs(operator, 'SmokeAlarm', shows('viewers'))).toMatchObject({ state: 'done' });
  expect(await runs(viewer, 'GlassBreak', shows('own'))).toMatchObject({ state: 'done' });
  await waitFor('the last of them', () => theirs.heard.at(-1)?.type === 'GlassBreak' && own.heard.length === 2);
  expect(own.heard.map(({ type }) => type)).toEqual(['FireAlarm', 'SmokeAlarm']);
  expect(theirs.heard.map(({ type }) => type)).toEqual(['SmokeAlarm', 'GlassBreak']);
  expect(own.heard[0]).toMatchObject({ deviceSerial: camera, channelNo: 1, seconds: 20 });
  expect(deaf.heard, 'who may not watch is told of no window').toEqual([]);
  for (const page of [own, theirs, deaf]) page.close();
});

it('[PM-05] tells browsers nothing of devices that are hidden there', async () => {
  const page = await openPage(viewer);
  expect(await runs(operator, 'DoorForced', shows('viewers'), radar)).toMatchObject({ state: 'done' });
  expect(await runs(operator, 'PetDetect', shows('viewers'))).toMatchObject({ state: 'done' });
  await waitFor('the other one', () => page.heard.length > 0);
  expect(page.heard.map(({ type }) => type)).toEqual(['PetDetect']);
  page.close();
});

it('does nothing without the right: to watch for one’s own walls, to configure for those of others', async () => {
  const page = await openPage(operator);
  expect(await runs(viewer, 'FightDetect', shows('viewers'))).toMatchObject({ state: 'failed', reason: 'right' });
  expect(await runs(listener, 'ScreamDetect', shows('own'))).toMatchObject({ state: 'failed', reason: 'right' });
  const sources = [{ deviceSerial: camera, channelNo: 1 }];
  const save = async (caller: CallClient, action: AlarmRuleAction) =>
    (await caller.call('alarm/rule/save', { ...ruleOf('WaterLeak', action), sources })).code;
  expect([await save(viewer, shows('viewers')), await save(listener, shows('own'))]).toEqual([1004, 1004]);
  expect([await save(viewer, shows('own')), await save(operator, shows('viewers'))]).toEqual([200, 200]);
  for (const seconds of [0, 4, 601, 5.5])
    expect(await save(operator, { kind: 'wall', seconds, walls: 'own' }), String(seconds)).toBe(1003);
  expect(await runs(operator, 'CryDetection', shows('own'))).toMatchObject({ state: 'done' });
  await waitFor('the one that may', () => page.heard.length > 0);
  expect(page.heard.map(({ type }) => type)).toEqual(['CryDetection']);
  page.close();
});
