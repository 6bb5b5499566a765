// Device types hidden from browsers: in rows, totals and search, while a client sees them all.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEVICE_TYPE } from '@vedette/contract/enumerations.ts';
import type { PushMessage } from '@vedette/contract/calls/page-events.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let web: CallClient;
let client: CallClient;
let hidden: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  web = await server.setUp();
  site = await ScriptedSite.dial(server);
  await web.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate camera' });
  const order = { target: 'rtsp://192.0.2.2/1', deviceName: 'Gate radar', deviceType: DEVICE_TYPE.RADAR };
  hidden = (await web.ok('device/add', order)).device.deviceSerial;
  const input = { account: OPERATOR.username, password: OPERATOR.password, browserId: 'client' };
  const { accessToken } = await server.client().ok('account/login', { ...input, clientType: 'client' });
  client = server.client(accessToken);
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

it.each([
  ['device/list', {}],
  ['device/list', { pageNo: 1, pageSize: 1 }],
  ['device/list', { keyWord: 'Gate' }],
  ['org/device/list', { organizationId: '0' }],
  ['org/resource/list', {}],
  ['org/resource/sub', { organizationId: '0' }],
] as const)('[PM-05] %s %j counts them for a client alone', async (path, input) => {
  expect((await web.ok(path, input)).total).toBe(1);
  expect((await client.ok(path, input)).total).toBe(2);
});

it('[PM-05] search omits them and their channels in a browser', async () => {
  const found = async (caller: CallClient) =>
    (await caller.ok('org/search', { keyWord: 'Gate' })).hitList.map(({ type, name }) => `${type} ${name}`);
  expect(await found(web)).toEqual(['device Gate camera', 'channel Gate camera']);
  expect(await found(client)).toHaveLength(4);
  expect((await web.ok('device/get', { deviceSerial: hidden })).device.deviceName).toBe('Gate radar');
});

it('[PM-05] the devices shared with me omit them too', async () => {
  await web.ok('user/add', { username: 'guest', password: 'Secret-1', userType: 2 });
  const guest = await server.signIn('guest', 'Secret-1');
  await web.ok('share/add', { account: 'guest', items: [{ deviceSerial: hidden }], permission: ['videoView'] });
  expect((await guest.ok('share/device/list', {})).total).toBe(0);
});

it('[PM-05] their alarms reach a client alone, listed and pushed; alarms of PTS devices reach nobody', async () => {
  const pts = { target: 'rtsp://192.0.2.3/1', deviceName: 'Gate PTS', deviceType: DEVICE_TYPE.PTS };
  const unseen = (await web.ok('device/add', pts)).device.deviceSerial;
  const seen = (await web.ok('device/list', { keyWord: 'camera' })).deviceList[0]?.deviceSerial ?? '';
  const [page, program] = [await alarmsOn(web), await alarmsOn(client)];
  for (const serial of [unseen, hidden, seen]) await site.reportEvent(serial, { topic: 'tnsvdt:Alarm/IllegalLogin' });
  const listed = async (caller: CallClient) =>
    (await caller.ok('alarm/list', { types: ['IllegalLogin'] })).alarmList.map(({ deviceSerial }) => deviceSerial);
  expect([await listed(web), await listed(client)]).toEqual([[seen], [seen, hidden]]);
  // In the order of their commits: what came before the last is not on its way any more.
  await waitFor('the last of them', () => page.heard.includes(seen) && program.heard.includes(seen));
  expect([page.heard, program.heard]).toEqual([[seen], [hidden, seen]]);
  page.close();
  program.close();
});

/** Whose alarms a page of its own is pushed. */
async function alarmsOn({ accessToken }: CallClient) {
  const socket = server.webSocket('/ws');
  const heard: string[] = [];
  let isWelcome = false;
  socket.on('message', (raw: Buffer) => {
    const message = JSON.parse(raw.toString('utf8')) as PushMessage;
    isWelcome ||= message.type === 'welcome';
    if (message.type === 'event' && message.event.kind === 'alarm') heard.push(message.event.alarm.deviceSerial);
  });
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken })));
  await waitFor('the page to be welcome', () => isWelcome);
  return { heard, close: () => socket.close() };
}
