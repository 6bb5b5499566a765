// Replays over the real server: a task that is not saved reaches the site with a ticket for the recordings, is refused where it is wrong, and ends with the right to play them.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { crossingTask, LINE } from './inputs/analysis-tasks.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let site: ScriptedSite;
let deviceSerial: string;

const HOUR_MS = 3_600_000;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  deviceSerial = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device
    .deviceSerial;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const dev = () => ({ deviceSerial, channelNo: 1 });
const input = (more: Partial<CallInput<'ai/replay/start'>> = {}): CallInput<'ai/replay/start'> => {
  const { taskName: _name, ...scene } = crossingTask(deviceSerial);
  return { ...scene, startTime: HOUR_MS, endTime: 2 * HOUR_MS, ...more };
};

it('a task that is not saved reaches its site, with a ticket for the recordings, and keeps nothing', async () => {
  const { replayId } = await operator.ok('ai/replay/start', input());
  const { colour: _colour, ...line } = LINE;
  expect(site.replay.orders.at(-1)?.order).toMatchObject({ algorithm: 'lineCrossing', regions: [line], threshold: 10 });
  expect([...site.tickets.values()].at(-1)).toMatchObject({
    kind: 'fragments',
    ...dev(),
    range: { startTime: HOUR_MS, endTime: 2 * HOUR_MS },
  });
  site.replay.progress = {
    state: 'finished',
    fault: null,
    doneAt: 2 * HOUR_MS,
    recordedMs: 3600,
    doneMs: 1800,
    frames: 7,
    total: 1,
    events: [
      {
        type: 'LineDetectorCrossed',
        at: 1.5 * HOUR_MS,
        regionId: 'gate',
        objectClass: 'person',
        score: 0.7,
        direction: 'in',
        picture: 'aGk=',
      },
    ],
  };
  expect(await operator.ok('ai/replay/get', { ...dev(), replayId })).toEqual({
    state: 'finished',
    fault: null,
    doneTime: 2 * HOUR_MS,
    recordedLength: 3600,
    doneLength: 1800,
    frames: 7,
    total: 1,
    eventList: [
      {
        type: 'LineDetectorCrossed',
        time: 1.5 * HOUR_MS,
        regionId: 'gate',
        objectClass: 'person',
        score: 0.7,
        direction: 'in',
        picture: 'aGk=',
      },
    ],
  });
  await operator.ok('ai/replay/stop', { ...dev(), replayId });
  expect(site.replay.ended).toEqual([replayId]);
  expect((await operator.ok('ai/task/list', {})).total).toBe(0);
});

it.each<[string, Partial<CallInput<'ai/replay/start'>>, Record<string, string>]>([
  ['a range that ends before it begins', { endTime: HOUR_MS }, { endTime: 'tooSmall' }],
  ['more than six hours', { endTime: 8 * HOUR_MS }, { endTime: 'tooBig' }],
  ['a rule without its line', { regionList: [] }, { regionList: 'required' }],
])('refused is %s', async (_what, more, data) => {
  const orders = site.replay.orders.length;
  expect(await operator.raw('ai/replay/start', input(more))).toMatchObject({ code: 1003, data });
  expect(site.replay.orders).toHaveLength(orders);
});

it('the site says why it takes none now', async () => {
  site.refusals.set('replayStart', { code: 1012, data: { reason: 'replayRuns' } });
  expect(await operator.raw('ai/replay/start', input())).toMatchObject({ code: 1012, data: { reason: 'replayRuns' } });
  site.refusals.delete('replayStart');
});

it('who may configure a channel but not play its recordings runs none; the ticket ends with the share within two seconds', async () => {
  await operator.ok('user/add', { username: 'keeper', password: 'Secret-1', userType: 2 });
  const keeper = await server.signIn('keeper', 'Secret-1');
  const share = async (permission: CallInput<'share/add'>['permission']) => {
    const { shareId } = await operator.ok('share/add', { account: 'keeper', items: [dev()], permission });
    await keeper.ok('share/accept', { shareId });
    return shareId;
  };
  expect((await keeper.raw('ai/replay/start', input())).code).toBe(1009);
  const first = await share(['videoView', 'equipmentConfiguration']);
  expect((await keeper.raw('ai/replay/start', input())).code).toBe(1004);
  await operator.ok('share/delete', { shareId: first, shareType: 2 });
  const second = await share(['videoView', 'equipmentConfiguration', 'videotapeView']);
  await keeper.ok('ai/replay/start', input());
  const { ticketId = '' } = [...site.tickets.values()].at(-1) ?? {};
  await operator.ok('share/delete', { shareId: second, shareType: 2 });
  await waitFor('the end of its ticket', () => site.revoked.some((one) => one.ticketId === ticketId), 2000);
});
