// Recording plans, retention locks and bookmarks by calls, and what reaches the site.
import type { RecordPlan } from '@vedette/contract/calls/record-plan.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { RECORD_LIMITS } from '@vedette/contract/limits.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SecretBox } from '../../server/core/secret-box.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let partner: CallClient;
let recorder: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const order = { target: 'rtsp://192.0.2.40/4', deviceName: 'Recorder' };
  recorder = (await operator.ok('device/add', order)).device.deviceSerial;
  await operator.ok('user/add', { username: 'partner', password: 'Secret-1', userType: 2 });
  await operator.ok('share/add', {
    account: 'partner',
    items: [{ deviceSerial: recorder, channelNo: 2 }],
    permission: ['videotapeView'],
  });
  partner = await server.signIn('partner', 'Secret-1');
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const dev = (channelNo = 1) => ({ deviceSerial: recorder, channelNo });
const assigned = (channelNo = 1) =>
  site.assigned.get(recorder)?.channels.find((channel) => channel.channelNo === channelNo);

describe('record/plan', () => {
  const change = (plan: RecordPlan, more: Partial<CallInput<'record/plan/set'>> = {}) => {
    const { timeZone: _zone, ...rest } = plan;
    return { ...dev(), ...rest, ...more };
  };

  it('[EN-15] [LM-05] a new channel is recorded continuously, with all eight rows', async () => {
    const plan = await operator.ok('record/plan/get', dev());
    expect(plan.plan.map(({ day }) => day)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const { entryList } of plan.plan) {
      expect(entryList).toEqual([{ StartTime: '00:00:00', EndTime: '23:59:59', Type: 1 }]);
    }
    expect(plan).toMatchObject({ quality: 0, secondStream: false, retentionDays: null, quotaBytes: null, version: 1 });
    expect(assigned()?.record).toEqual({ quality: 0, retentionDays: 30, fillsGaps: true });
  });

  it('is stored, versioned, and sent to the site with the zone of the device', async () => {
    const before = await operator.ok('record/plan/get', dev());
    const monday = [
      { StartTime: '18:00:00', EndTime: '23:59:59', Type: 2 as const },
      { StartTime: '08:00:00', EndTime: '18:00:00', Type: 1 as const },
    ];
    const wanted = change(before, {
      plan: [{ day: 1, entryList: monday }],
      holidayList: ['2028-02-29'],
      preRoll: 12,
      retentionDays: 3,
      emptyRetention: { classList: ['person', 'animal'], days: 2 },
      quotaBytes: 5_000_000_000,
      secondStream: true,
      timeZone: 'Europe/Berlin',
    });
    const saved = await operator.ok('record/plan/set', wanted);
    expect(saved.version).toBe(2);
    expect(saved.plan[0]?.entryList.map(({ StartTime }) => StartTime)).toEqual(['08:00:00', '18:00:00']);
    expect(saved.plan.slice(1).every(({ entryList }) => entryList.length === 0)).toBe(true);
    expect(await operator.ok('record/plan/get', dev())).toEqual(saved);
    expect(assigned()?.record).toMatchObject({
      quality: 0,
      retentionDays: 3,
      empty: { classes: ['person', 'animal'], days: 2 },
      secondStream: true,
      quotaBytes: 5_000_000_000,
      preRollS: 12,
      plan: { holidays: ['2028-02-29'], timeZone: 'Europe/Berlin' },
    });
    // The zone is the device's: its other channels have it too.
    expect((await operator.ok('record/plan/get', dev(3))).timeZone).toBe('Europe/Berlin');
    const stale = await operator.call('record/plan/set', wanted);
    expect(stale).toMatchObject({ code: 1010, data: { version: 2 } });
  });

  it('[FT-43] of two parallel saves one is refused, and nothing is lost', async () => {
    const before = await operator.ok('record/plan/get', dev(4));
    const both = await Promise.all(
      [3, 9].map((preRoll) => operator.call('record/plan/set', { ...change(before), ...dev(4), preRoll })),
    );
    expect(both.map((answer) => answer.code).sort((a, b) => a - b)).toEqual([200, 1010]);
    const saved = both.find((answer) => answer.code === 200)?.data.preRoll;
    expect((await operator.ok('record/plan/get', dev(4))).preRoll).toBe(saved);
  });

  it.each([
    ['emptyRetention.days', { retentionDays: 5, emptyRetention: { classList: ['person'], days: 5 } }],
    ['emptyRetention.classList', { emptyRetention: { classList: [], days: 5 } }],
    ['plan.1.day', { plan: [1, 1].map((day) => ({ day, entryList: [] })) }],
    [
      'plan.0.entryList.0.EndTime',
      { plan: [{ day: 1, entryList: [{ StartTime: '09:00:00', EndTime: '08:00:00', Type: 1 }] }] },
    ],
    [
      'plan.0.entryList.1.StartTime',
      {
        plan: [
          {
            day: 1,
            entryList: [
              { StartTime: '09:00:00', EndTime: '11:00:00', Type: 1 },
              { StartTime: '10:00:00', EndTime: '12:00:00', Type: 2 },
            ],
          },
        ],
      },
    ],
    [
      'plan.0.entryList.0.Type',
      { plan: [{ day: 1, entryList: [{ StartTime: '09:00:00', EndTime: '11:00:00', Type: 3 }] }] },
    ],
    [
      'plan.0.entryList.0.EndTime',
      { plan: [{ day: 1, entryList: [{ StartTime: '09:00:00', EndTime: '24:00:00', Type: 1 }] }] },
    ],
    ['holidayList.0', { holidayList: ['2026-02-30'] }],
    ['timeZone', { timeZone: 'Mars/Base' }],
    ['preRoll', { preRoll: 31 }],
    ['quotaBytes', { quotaBytes: 5 }],
  ])('[VA-08] names %s when it is invalid', async (field, more) => {
    const plan = await operator.ok('record/plan/get', dev());
    const answer = await operator.raw('record/plan/set', { ...change(plan), ...more });
    expect(answer.code).toBe(1003);
    expect(Object.keys(answer.data as object)).toEqual([field]);
  });

  it('[SE-18] requires RecordConfig; the right to replay alone is refused', async () => {
    expect((await partner.call('record/plan/get', dev(2))).code).toBe(1004);
    expect((await partner.call('record/plan/get', dev(1))).code).toBe(1009);
  });
});

describe('retention locks', () => {
  const range = { startTime: 1_000_000, endTime: 2_000_000 };

  it('are stored, listed by time, and sent to the site until removed', async () => {
    const { lock } = await operator.ok('record/lock', { ...dev(), ...range, name: ' Theft ', reason: 'police' });
    expect(lock).toMatchObject({ ...range, name: 'Theft', reason: 'police', createdBy: 'operator' });
    expect(assigned()?.locks).toEqual([range]);
    const found = async (startTime: number, endTime: number) =>
      (await operator.ok('record/lock/list', { ...dev(), startTime, endTime })).lockList.map((one) => one.lockId);
    expect(await found(0, 999_999)).toEqual([]);
    expect(await found(1_500_000, 1_600_000)).toEqual([lock.lockId]);
    expect((await operator.ok('record/lock/list', dev())).total).toBe(1);
    expect((await operator.ok('record/lock/list', dev(2))).total).toBe(0);
    await operator.ok('record/unlock', { ...dev(), lockId: lock.lockId });
    expect(assigned()?.locks).toEqual([]);
    expect((await operator.call('record/unlock', { ...dev(), lockId: lock.lockId })).code).toBe(1007);
  });

  it('of another account stay, unless one may configure the device', async () => {
    const own = await partner.ok('record/lock', { ...dev(2), ...range, name: 'Mine' });
    const { lock } = await operator.ok('record/lock', { ...dev(2), ...range, name: 'Theirs' });
    expect((await partner.call('record/unlock', { ...dev(2), lockId: lock.lockId })).code).toBe(1004);
    expect((await partner.call('record/lock', { ...dev(1), ...range, name: 'Foreign' })).code).toBe(1009);
    // A lock is named by its own channel alone.
    expect((await operator.call('record/unlock', { ...dev(3), lockId: lock.lockId })).code).toBe(1007);
    await partner.ok('record/unlock', { ...dev(2), lockId: own.lock.lockId });
    await operator.ok('record/unlock', { ...dev(2), lockId: lock.lockId });
  });

  it('have a maximum length and are not reversed', async () => {
    const lock = async (startTime: number, endTime: number) =>
      (await operator.call('record/lock', { ...dev(), startTime, endTime, name: 'x' })).code;
    expect(await lock(5, 5)).toBe(1003);
    expect(await lock(0, RECORD_LIMITS.lockS * 1000 + 1)).toBe(1003);
  });

  it('created while the site was offline reach it when it is back', async () => {
    await site.hangUp();
    await operator.ok('record/lock', { ...dev(3), ...range, name: 'Meanwhile' });
    site = await ScriptedSite.dial(server, site);
    expect(assigned(3)?.locks).toEqual([range]);
  });
});

describe('bookmarks', () => {
  it('mark a time or a range, are listed newest first, and are deleted with their account', async () => {
    const add = async (startTime: number, endTime: number, name: string) =>
      (await operator.ok('record/bookmark/add', { ...dev(), startTime, endTime, name })).bookmark;
    const first = await add(1000, 1000, 'Instant');
    await add(5000, 9000, 'Range');
    const listed = async (more: { startTime?: number; endTime?: number } = {}) =>
      (await operator.ok('record/bookmark/list', { ...dev(), ...more })).bookmarkList.map(({ name }) => name);
    expect(await listed()).toEqual(['Range', 'Instant']);
    expect(await listed({ startTime: 1000, endTime: 1000 })).toEqual(['Instant']);
    expect(await listed({ startTime: 1001, endTime: 4999 })).toEqual([]);
    expect((await operator.call('record/bookmark/add', { ...dev(), startTime: 2, endTime: 1, name: 'x' })).code).toBe(
      1003,
    );
    await operator.ok('record/bookmark/delete', { ...dev(), bookmarkId: first.bookmarkId });
    expect(await listed()).toEqual(['Range']);
    expect((await partner.call('record/bookmark/list', dev(1))).code).toBe(1009);
  });
});

it('[LV-06] gaps are returned with their reasons', async () => {
  site.spans = [{ startTime: 10, endTime: 20, recordType: 1 }];
  site.gaps = [{ startTime: 20, endTime: 90, reason: 'cameraOffline' }];
  const found = await operator.ok('record/query', { ...dev(), startTime: 0, endTime: 100 });
  expect(found.gapList).toEqual([{ startTime: 20, endTime: 90, reason: 'cameraOffline' }]);
});

it('a budget that the disk cannot hold is refused at its field, also in another folder, and nothing changes', async () => {
  const { config, version } = await operator.ok('system/config/get', {});
  const set = (storage: Partial<typeof config.storage>) =>
    operator.call('system/config/set', { config: { ...config, storage: { ...config.storage, ...storage } }, version });
  // The scripted disk: 1 GB of recordings, 9 GB free.
  const tooBig = { code: 1003, data: { 'config.storage.budgetBytes': 'tooBig' } };
  expect(await set({ budgetBytes: 100e12, reserveBytes: 0 })).toMatchObject(tooBig);
  expect(await set({ budgetBytes: 9e9, reserveBytes: 2e9 })).toMatchObject(tooBig);
  const folder = `${config.storage.folder}-other`;
  expect(await set({ folder, budgetBytes: 10.1e9, reserveBytes: 0 })).toMatchObject(tooBig);
  await waitFor('the site to have its folder back', () => site.settings?.storage.folder === config.storage.folder);
  expect((await operator.ok('system/config/get', {})).version).toBe(version);
  expect((await set({ budgetBytes: 9e9, reserveBytes: 1e9 })).code).toBe(200);
});

it('what each camera takes on the disk is listed with its name, the largest first', async () => {
  const use = (channelNo: number, usedBytes: number, bytesPerDay: number | null) => {
    return { channelId: assigned(channelNo)?.channelId ?? '', usedBytes, bytesPerDay, oldestAt: 1000, newestAt: 2000 };
  };
  const deleted = { ...use(1, 7000, 300), channelId: 'gone' };
  site.channelUses = [use(1, 2000, 100), use(2, 5000, 200), use(3, 1000, null), deleted];
  const found = await operator.ok('system/storage/use', {});
  expect(found).toMatchObject({ bytesPerDay: 600, total: 3 });
  expect(found.channelList.map(({ channelNo, usedBytes }) => [channelNo, usedBytes])).toEqual([
    [2, 5000],
    [1, 2000],
    [3, 1000],
  ]);
  expect(found.channelList[0]).toMatchObject({ deviceSerial: recorder, deviceName: 'Recorder', oldestAt: 1000 });
  expect((await partner.call('system/storage/use', {})).code).toBe(1004);
});

it('the gaps of the last day are listed of the channels that one may play, without those of the plan, the longest first', async () => {
  const range = { startTime: 1_000_000, endTime: 1_060_000 };
  site.gaps = [
    { startTime: 990_000, endTime: 1_005_000, reason: 'siteDown' },
    { startTime: 1_010_000, endTime: 1_030_000, reason: 'cameraOffline' },
    { startTime: 1_030_000, endTime: 1_060_000, reason: 'planOff' },
  ];
  const seen = await partner.ok('record/gap/list', range);
  expect(seen).toMatchObject({ total: 1, unansweredTotal: 0, isCut: false });
  expect(seen.channelList).toMatchObject([
    { deviceSerial: recorder, channelNo: 2, gapTotal: 2, gapMs: 25_000, longest: site.gaps[1] },
  ]);
  const all = await operator.ok('record/gap/list', range);
  expect(all.channelList.map(({ channelNo }) => channelNo).toSorted()).toEqual([1, 2, 3, 4]);
  site.refusals.set('recordings', { code: 1012, data: null });
  expect(await operator.ok('record/gap/list', range)).toMatchObject({ total: 0, unansweredTotal: 4 });
  site.refusals.delete('recordings');
  site.gaps = [];
  expect((await operator.ok('record/gap/list', range)).total).toBe(0);
  for (const endTime of [range.startTime, range.startTime + 86_400_001])
    expect((await operator.call('record/gap/list', { ...range, endTime })).code).toBe(1003);
});

it('a folder that the site cannot write to is refused at its field, with the reason', async () => {
  const { config, version } = await operator.ok('system/config/get', {});
  site.refusals.set('settings', { code: 1003, data: { folder: 'readOnly' } });
  const answer = await operator.call('system/config/set', { config, version });
  site.refusals.clear();
  expect(answer).toMatchObject({ code: 1003, data: { 'config.storage.folder': 'readOnly' } });
  expect((await operator.ok('system/config/get', {})).version).toBe(version);
});

describe("[SE-97] the driver's address record", () => {
  it('is not readable in the database, and rows of an earlier version are encrypted at start', async () => {
    const client = new pg.Client({ connectionString: server.database.url });
    await client.connect();
    const row = async () =>
      (await client.query<{ native: unknown; credentials: Buffer; device_id: string }>('select * from device')).rows[0];
    expect((await row())?.native).toBeNull();
    const { device_id: deviceId, credentials } = (await row()) ?? { device_id: '', credentials: Buffer.alloc(0) };
    expect(credentials.toString('latin1')).not.toContain('192.0.2.40');
    const box = new SecretBox({ masterKey: Buffer.from(server.masterKey, 'hex') });
    const secrets = JSON.parse(box.open(credentials, deviceId)) as { native: object; target: string };
    const { native, ...rest } = secrets;
    const old = { ...native, urls: ['rtsp://192.0.2.40/4?token=old'] };
    await client.query('update device set native = $1, credentials = $2', [
      JSON.stringify(old),
      box.seal(JSON.stringify(rest), deviceId),
    ]);
    await site.hangUp();
    await server.end();
    await server.run();
    site = await ScriptedSite.dial(server, site);
    await waitFor('the device on the site', () => site.assigned.has(recorder));
    expect(site.assigned.get(recorder)?.native).toEqual(old);
    expect((await row())?.native).toBeNull();
    await client.end();
  });
});
