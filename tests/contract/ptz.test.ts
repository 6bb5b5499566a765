// PTZ by calls, with a scripted site: rights, displacement, end of moves, and numbers and names of presets.
import type { WebSocket } from 'ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
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
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.10/1', deviceName: 'Roof' })).device.deviceSerial;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const dev = () => ({ deviceSerial: camera, channelNo: 1 });
const left = () => ({ ...dev(), command: 'left' as const, speed: 3 });
const wasStopped = (operatorId: string) =>
  site.ptz.stopped.some((one) => one.operatorId === operatorId && one.command === null);

async function guest(name: string, permission: readonly ('videoView' | 'ptzControl')[]) {
  await operator.ok('user/add', { username: name, password: 'Visit-2026', userType: 2 });
  const { shareId } = await operator.ok('share/add', { account: name, items: [dev()], permission: [...permission] });
  return { client: await server.signIn(name, 'Visit-2026'), shareId };
}

/** A page of the account; answers its socket and what it hears. */
async function page(client: CallClient): Promise<{ socket: WebSocket; heard: unknown[] }> {
  const socket = server.webSocket('/ws');
  const heard: unknown[] = [];
  socket.on('message', (raw: Buffer) => heard.push(JSON.parse(raw.toString('utf8'))));
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: client.accessToken })));
  await waitFor('the welcome', () => heard.length > 0);
  return { socket, heard };
}

it('[EN-05] [LV-02] requires PtzControl: an account that may only view is refused', async () => {
  const { client } = await guest('viewer', ['videoView']);
  expect((await client.call('ptz/start', left())).code).toBe(1004);
  expect((await client.call('preset/list', dev())).code).toBe(1004);
  expect((await client.call('preset/goto', { ...dev(), presetIndex: 1 })).code).toBe(1004);
  expect(site.ptz.started).toEqual([]);
});

it('[LV-02] speed is 1 to 10, and there are sixteen commands', async () => {
  for (const speed of [0, 11, 1.5]) expect((await operator.call('ptz/start', { ...left(), speed })).code).toBe(1003);
  expect((await operator.call('ptz/start', { ...left(), command: 'spin' as never })).code).toBe(1003);
});

it('[SE-33] [FT-46] a withdrawn share ends the move, and its page is told why', async () => {
  const { client, shareId } = await guest('turner', ['ptzControl']);
  const { socket, heard } = await page(client);
  const { operatorId } = await client.ok('ptz/start', left());
  await operator.ok('share/delete', { shareId, shareType: 2 });
  await waitFor('the move to be stopped', () => wasStopped(operatorId), 2000);
  const ended = { kind: 'ptzEnded', ...dev(), operatorId, code: 1017, userName: null };
  await waitFor('the page to hear', () => JSON.stringify(heard).includes(JSON.stringify(ended)));
  socket.close();
});

it('[FT-46] closing a page ends its moves', async () => {
  const { client } = await guest('leaver', ['ptzControl']);
  const { socket } = await page(client);
  const { operatorId } = await client.ok('ptz/start', left());
  socket.terminate();
  await waitFor('the move to be stopped', () => wasStopped(operatorId), 2000);
});

it('[SE-36] a displaced operator is told by whom', async () => {
  const { client } = await guest('slow', ['ptzControl']);
  const { socket, heard } = await page(client);
  const { operatorId } = await client.ok('ptz/start', left());
  site.ptz.displaced = operatorId;
  await operator.ok('ptz/start', left());
  site.ptz.displaced = null;
  const ended = { kind: 'ptzEnded', ...dev(), operatorId, code: 1021, userName: 'operator' };
  await waitFor('the page to hear', () => JSON.stringify(heard).includes(JSON.stringify(ended)));
  socket.close();
});

it('[LV-03] maps numbers to tokens: "1" and "01" differ, names are stored here, pages are counted', async () => {
  const { total, presetList } = await operator.ok('preset/list', dev());
  expect(total).toBe(2);
  expect(presetList.map(({ presetIndex, name }) => [presetIndex, name])).toEqual([
    [1, 'One'],
    [2, 'One'],
  ]);
  expect(presetList[0]?.image).toBe('');
  expect(presetList[1]?.image).toMatch(/\/media\/preset\/[\w-]{43}\/0123456789abcdef01234567-5\.jpg$/);
  expect([...site.tickets.values()].at(-1)).toMatchObject({ kind: 'preset', ...dev() });
  await operator.ok('preset/update', { ...dev(), presetIndex: 2, name: '大门 & "Tor"' });
  await operator.ok('preset/goto', { ...dev(), presetIndex: 2 });
  expect(site.ptz.visited.at(-1)).toBe('01');
  expect((await operator.call('preset/add', { ...dev(), presetIndex: 2, name: 'Again' })).code).toBe(1016);
  expect(await operator.ok('preset/add', { ...dev(), name: 'Third' })).toEqual({ presetIndex: 3 });
  expect(await operator.ok('preset/add', { ...dev(), presetIndex: 7, name: 'Third' })).toEqual({ presetIndex: 7 });
  await operator.ok('preset/delete', { ...dev(), presetIndex: 1 });
  const second = await operator.ok('preset/list', { ...dev(), pageStart: 1, pageSize: 2 });
  expect(second.total).toBe(3);
  expect(second.presetList.map(({ presetIndex }) => presetIndex)).toEqual([7]);
  const first = await operator.ok('preset/list', { ...dev(), pageSize: 1 });
  expect(first.presetList[0]).toMatchObject({ presetIndex: 2, name: '大门 & "Tor"' });
  expect((await operator.call('preset/goto', { ...dev(), presetIndex: 1 })).code).toBe(1007);
});

it('[LV-03] patrols use existing presets, and tours of the device stay on it', async () => {
  const stopList = [{ presetIndex: 2, stay: 5 }];
  const wrong = { ...dev(), name: 'Round', stopList: [{ presetIndex: 99, stay: 5 }] };
  expect((await operator.call('patrol/save', wrong)).code).toBe(1003);
  const { patrolId } = await operator.ok('patrol/save', { ...dev(), name: 'Round', stopList });
  await operator.ok('patrol/start', { ...dev(), patrolId });
  const { patrolList } = await operator.ok('patrol/list', dev());
  expect(patrolList).toEqual([
    { patrolId, name: 'Round', isRunning: true, isDeviceOwn: false, stopList },
    { patrolId: 'tour:T', name: 'Tour', isRunning: false, isDeviceOwn: true, stopList: [{ presetIndex: 2, stay: 4 }] },
  ]);
  expect((await operator.call('patrol/delete', { ...dev(), patrolId: 'tour:T' })).code).toBe(1006);
  const { presets } = site.ptz;
  site.ptz.presets = [];
  expect((await operator.call('patrol/start', { ...dev(), patrolId })).code).toBe(1007);
  site.ptz.presets = presets;
  await operator.ok('patrol/delete', { ...dev(), patrolId });
  expect(site.ptz.running).toBeNull();
  expect((await operator.call('patrol/start', { ...dev(), patrolId })).code).toBe(1007);
});

it('a rule moves a camera to its preset and switches an output, unless the alarm is old', async () => {
  await operator.ok('preset/goto', { ...dev(), presetIndex: 2 });
  const token = site.ptz.visited.at(-1);
  const actions = [
    { kind: 'preset' as const, ...dev(), presetIndex: 2 },
    { kind: 'output' as const, ...dev(), output: 'Siren', isOn: true },
    { kind: 'preset' as const, ...dev(), presetIndex: 99 },
  ];
  const rule = { name: 'Gate', isEnabled: true, groups: [], leastSeverity: 'info' as const, sources: [], pauseS: 0 };
  const { rule: saved } = await operator.ok('alarm/rule/save', {
    ...rule,
    types: ['BeamBroken'],
    plan: null,
    timeZone: 'UTC',
    actions,
  });
  const ended = async (count: number) => {
    const list = async () => (await operator.ok('alarm/delivery/list', { ruleId: saved.ruleId })).deliveryList;
    await waitFor('all of it', async () => {
      const all = await list();
      return all.length === count && all.every(({ state }) => state !== 'waiting');
    });
    return (await list()).map(({ state, reason }) => `${state} ${reason}`).sort();
  };
  const visited = site.ptz.visited.length;
  await site.reportEvent(camera, { topic: 'tnsvdt:Alarm/BeamBroken', key: 'now' });
  expect(await ended(3)).toEqual(['done null', 'done null', 'skipped gone']);
  expect(site.ptz.visited.slice(visited)).toEqual([token]);
  expect(site.firmware.switched).toEqual([{ ...dev(), output: 'Siren', isOn: true }]);
  await site.reportEvent(camera, { topic: 'tnsvdt:Alarm/BeamBroken', key: 'then', at: Date.now() - 120_000 });
  expect((await ended(6)).filter((one) => one === 'skipped late')).toHaveLength(3);
  expect([site.ptz.visited.length - visited, site.firmware.switched.length]).toEqual([1, 1]);
});
