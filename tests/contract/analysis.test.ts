// Tasks of edge intelligence over the real server: kept, given to the site of their channel, shown with what it does, and refused where they are wrong.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { DETECTION_THRESHOLD } from '@vedette/contract/limits.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crossingTask, LINE, ZONE } from './inputs/analysis-tasks.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let operator: CallClient;
let site: ScriptedSite;
let deviceSerial: string;
let idle: ScriptedSite['analysisStatus'];

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  idle = site.analysisStatus;
  deviceSerial = await addCamera('192.0.2.1');
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});
beforeEach(async () => {
  site.analysisStatus = idle;
  for (const { taskId, channelNo, ...task } of (await operator.ok('ai/task/list', {})).taskList)
    await operator.ok('ai/task/delete', { deviceSerial: task.deviceSerial, channelNo, taskId });
});

const addCamera = async (host: string) =>
  (await operator.ok('device/add', { target: `rtsp://${host}/1`, deviceName: 'Gate' })).device.deviceSerial;
const dev = () => ({ deviceSerial, channelNo: 1 });
const task = (more: Partial<CallInput<'ai/task/save'>> = {}) => ({ ...crossingTask(deviceSerial), ...more });
const save = async (more: Partial<CallInput<'ai/task/save'>> = {}) =>
  (await operator.ok('ai/task/save', task(more))).task;
const orders = (serial = deviceSerial) => site.assigned.get(serial)?.channels[0]?.analysis;

describe('a task', () => {
  it('[LM-08] has the usual threshold, reaches its site with all that it watches for, and ends', async () => {
    const saved = await save();
    expect(saved).toMatchObject({ threshold: DETECTION_THRESHOLD, isEnabled: true, plan: null, version: 1 });
    const { colour: _colour, ...line } = LINE;
    expect(orders()).toEqual([
      {
        taskId: saved.taskId,
        algorithm: 'lineCrossing',
        regions: [line],
        classes: ['person', 'vehicle'],
        threshold: 10,
        minHeight: 0.02,
        maxHeight: 1,
        dwellS: 10,
        densityLevels: [3, 6, 10],
      },
    ]);
    await operator.ok('ai/task/delete', { ...dev(), taskId: saved.taskId });
    expect(orders()).toBeUndefined();
    expect((await operator.raw('ai/task/delete', { ...dev(), taskId: saved.taskId })).code).toBe(1007);
  });

  it('is watched in its plan by the clock of its device, and not at all while it is off', async () => {
    const plan = [{ day: 1, entryList: [{ StartTime: '08:00:00', EndTime: '18:00:00', Type: 1 as const }] }];
    const { plan: recording, version: planVersion, ...settings } = await operator.ok('record/plan/get', dev());
    await operator.ok('record/plan/set', {
      ...dev(),
      ...settings,
      plan: recording,
      timeZone: 'Europe/Berlin',
      version: planVersion,
    });
    const { taskId, version } = await save({ plan, holidayList: ['2026-12-25'] });
    expect(orders()?.[0]?.plan).toEqual({ days: plan, holidays: ['2026-12-25'], timeZone: 'Europe/Berlin' });
    const off = await save({ taskId, version, isEnabled: false });
    expect(off).toMatchObject({ taskId, version: 2, isEnabled: false, plan: null });
    expect(orders()).toBeUndefined();
  });

  it('is changed by who saw its latest version alone', async () => {
    const { taskId, version } = await save();
    await save({ taskId, version, taskName: 'North gate' });
    const late = await operator.raw('ai/task/save', task({ taskId, version, taskName: 'South gate' }));
    expect(late).toMatchObject({ code: 1010, data: { taskName: 'North gate', version: 2 } });
    expect(await operator.raw('ai/task/save', task({ taskId }))).toMatchObject({ code: 1003 });
    const { taskList } = await operator.ok('ai/task/list', {});
    expect(taskList.map(({ taskName }) => taskName)).toEqual(['North gate']);
  });

  it('ends with its device, and is of its own channel', async () => {
    const spare = await addCamera('192.0.2.2');
    const { taskId } = await save({ deviceSerial: spare });
    expect(orders(spare)).toHaveLength(1);
    expect((await operator.raw('ai/task/save', task({ taskId, version: 1 }))).code).toBe(1007);
    expect((await operator.raw('ai/task/delete', { ...dev(), taskId })).code).toBe(1007);
    await operator.ok('device/delete', { deviceSerial: spare });
    expect((await operator.ok('ai/task/list', {})).total).toBe(0);
  });

  it('shares its model with the other tasks of its channel, whichever was saved last', async () => {
    const { taskId, version } = await save({ model: 'mine' });
    expect(orders()).toMatchObject([{ model: 'mine' }]);
    await save({ taskName: 'South gate' });
    expect(orders()?.map(({ model }) => model)).toEqual([undefined, undefined]);
    await save({ taskId, version, model: 'mine' });
    const { taskList } = await operator.ok('ai/task/list', {});
    expect(taskList.map(({ model }) => model)).toEqual(['mine', 'mine']);
    expect(await operator.raw('ai/task/save', task({ model: '../mine' }))).toMatchObject({ code: 1003 });
  });

  it('is one of sixteen of a channel at most', async () => {
    const answers = await Promise.all(
      Array.from({ length: 18 }, async (_, at) => await operator.raw('ai/task/save', task({ taskName: `T${at}` }))),
    );
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(16);
    const refused = answers.find(({ code }) => code !== 200);
    expect(refused).toMatchObject({ code: 1011, data: { quota: 'analysisTasksPerChannel', limit: 16 } });
  });
});

describe('what is wrong with a task is named by its field', () => {
  it.each<[string, Partial<CallInput<'ai/task/save'>>, Record<string, string>]>([
    ['no region of its kind', { regionList: [] }, { regionList: 'required' }],
    ['a zone for a line', { regionList: [{ ...ZONE, points: [...ZONE.points] }] }, { regionList: 'required' }],
    [
      'a line of one point',
      { regionList: [{ ...LINE, points: [{ x: 0, y: 0 }] }] },
      { 'regionList.0.points': 'tooShort' },
    ],
    [
      'a point outside the picture',
      { regionList: [{ ...LINE, points: [LINE.points[0], { x: 1.5, y: 0 }] }] },
      { 'regionList.0.points.1.x': 'tooBig' },
    ],
    ['no class', { classList: [] }, { classList: 'tooShort' }],
    ['levels that fall', { densityLevels: [5, 4, 10] }, { 'densityLevels.1': 'tooSmall' }],
    ['heights that cross', { minHeight: 0.5, maxHeight: 0.4 }, { maxHeight: 'tooSmall' }],
    ['a threshold of 0', { threshold: 0 }, { threshold: 'tooSmall' }],
    ['a holiday that is none', { holidayList: ['2026-02-30'] }, { 'holidayList.0': 'format' }],
    [
      'a plan that ends before it begins',
      { plan: [{ day: 1, entryList: [{ StartTime: '18:00:00', EndTime: '08:00:00', Type: 1 }] }] },
      { 'plan.0.entryList.0.EndTime': 'tooSmall' },
    ],
  ])('%s', async (_what, more, data) => {
    expect(await operator.raw('ai/task/save', task(more))).toMatchObject({ code: 1003, data });
    expect((await operator.ok('ai/task/list', {})).total).toBe(0);
  });
});

describe('what the site does', () => {
  it('is shown with each task, and what it costs with each site', async () => {
    await save();
    const channelId = site.assigned.get(deviceSerial)?.channels[0]?.channelId ?? '';
    site.analysisStatus = {
      ...idle,
      models: [{ name: 'nanodet', sha256: 'a'.repeat(64), licence: 'Apache-2.0', size: 320, classes: ['person'] }],
      refused: [{ name: 'mine', reason: 'hash', fault: 'another hash in /srv/models' }],
      msPerPicture: 14,
      usedPercent: 12,
      roomFor: 7,
      channels: [{ channelId, hasModel: false, isActive: true, picturesPerS: 2, dropped: { full: 3, late: 4 } }],
    };
    const { taskList } = await operator.ok('ai/task/list', {});
    expect(taskList).toMatchObject([
      { siteName: '', siteState: 'running', hasModel: false, isActive: true, picturesPerS: 2, dropped: 7 },
    ]);
    expect((await operator.ok('ai/model/list', {})).siteList).toEqual([
      {
        siteId: 'local',
        siteName: '',
        state: 'running',
        fault: null,
        msPerPicture: 14,
        usedPercent: 12,
        capPercent: 50,
        roomFor: 7,
        modelList: [{ name: 'nanodet', licence: 'Apache-2.0', size: 320, classList: ['person'] }],
        refusedList: [{ name: 'mine', reason: 'hash', fault: 'another hash in /srv/models' }],
      },
    ]);
  });

  it('is told apart: a missing runtime, a site of an earlier version, and one that is away', async () => {
    await save();
    const state = async () => (await operator.ok('ai/task/list', {})).taskList[0]?.siteState;
    site.analysisStatus = { ...idle, state: 'missing', fault: 'no module in /srv/vedette' };
    expect(await state()).toBe('missing');
    expect((await operator.ok('ai/model/list', {})).siteList[0]?.fault).toBe('no module in /srv/vedette');
    site.refusals.set('analysisStatus', { code: 1006, data: null });
    expect(await state()).toBe('outdated');
    site.refusals.delete('analysisStatus');
    await site.hangUp();
    expect(await state()).toBe('away');
    site = await ScriptedSite.dial(server);
  });
});

describe('another account', () => {
  it('sees no task, and configures none', async () => {
    const { taskId } = await save();
    await operator.ok('user/add', { username: 'stranger', password: 'Secret-1', userType: 2 });
    const stranger = await server.signIn('stranger', 'Secret-1');
    expect((await stranger.ok('ai/task/list', {})).total).toBe(0);
    expect((await stranger.ok('ai/model/list', {})).total).toBe(0);
    expect((await stranger.raw('ai/task/save', task())).code).toBe(1009);
    expect((await stranger.raw('ai/task/delete', { ...dev(), taskId })).code).toBe(1009);
  });

  it('that may watch the channel sees its tasks, but neither changes them nor learns of faults', async () => {
    const { taskId } = await save();
    await operator.ok('user/add', { username: 'viewer', password: 'Secret-1', userType: 2 });
    const viewer = await server.signIn('viewer', 'Secret-1');
    const { shareId } = await operator.ok('share/add', {
      account: 'viewer',
      items: [dev()],
      permission: ['videoView'],
    });
    await viewer.ok('share/accept', { shareId });
    expect((await viewer.ok('ai/task/list', {})).taskList).toMatchObject([{ taskId, isEditable: false }]);
    expect((await viewer.ok('ai/model/list', {})).total).toBe(0);
    expect((await viewer.raw('ai/task/delete', { ...dev(), taskId })).code).toBe(1004);
  });
});
