// Object stores and cloud plans over the real server: tried before they are kept, given to the sites that need them, and never shown with their secret.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { lostCopyReport } from '../../site/cloud-storage/lost-copy-report.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { runSql } from './account-steps.ts';
import { OBJECT_STORE } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

/** A snapshot of every alarm. */
const SNAPSHOT_RULE: CallInput<'alarm/rule/save'> = {
  name: 'R',
  isEnabled: true,
  types: [],
  groups: [],
  leastSeverity: 'info',
  sources: [],
  plan: null,
  timeZone: 'UTC',
  pauseS: 0,
  actions: [{ kind: 'snapshot' }],
};

let server: ServerUnderTest;
let operator: CallClient;
let site: ScriptedSite;
let deviceSerial: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  ({ deviceSerial } = (await operator.ok('device/add', { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate' })).device);
});
afterAll(async () => {
  await server?.stop();
});
beforeEach(async () => {
  site.storeProbe = { step: null, reason: null };
  site.cloudBacklogs = [];
  for (const plan of (await operator.ok('cloud/plan/list', {})).planList)
    await operator.ok('cloud/plan/close', devOf(plan));
  for (const { storeId } of (await operator.ok('cloud/store/list', {})).storeList)
    await operator.ok('cloud/store/delete', { storeId });
});

const devOf = ({ deviceSerial: serial, channelNo }: { deviceSerial: string; channelNo: number }) => ({
  deviceSerial: serial,
  channelNo,
});
const dev = () => ({ deviceSerial, channelNo: 1 });
const save = async (more: Partial<CallInput<'cloud/store/save'>> = {}) =>
  (await operator.ok('cloud/store/save', { ...OBJECT_STORE, storeName: 'Archive', ...more })).storeInfo;
const assignedChannel = () => site.assigned.get(deviceSerial)?.channels[0];

describe('an object store', () => {
  it('is given to the site with its secret, which no answer has and the database holds encrypted', async () => {
    const saved = await save();
    expect(saved).toMatchObject({ storeName: 'Archive', bucket: 'recordings', planTotal: 0, version: 1 });
    const { secretKey: secret, ...place } = OBJECT_STORE;
    expect(site.settings?.objectStores).toEqual([{ ...place, storeId: saved.storeId, secretKey: secret }]);
    const listed = JSON.stringify(await operator.ok('cloud/store/list', {}));
    expect(listed).not.toContain(`"${secret}"`);
    expect(site.probedStores.at(-1)).toMatchObject({ bucket: 'recordings', secretKey: secret });
  });

  it.each([
    ['otherRegion', 'region'],
    ['noBucket', 'bucket'],
    ['keys', 'secretKey'],
    ['denied', 'accessKey'],
    ['clock', 'endpoint'],
    ['address', 'endpoint'],
  ] as const)('that fails its probe by %s is not saved, and the field is named', async (reason, field) => {
    site.storeProbe = { step: 'write', reason };
    const answer = await operator.raw('cloud/store/save', { ...OBJECT_STORE, storeName: 'Archive' });
    expect(answer).toMatchObject({ code: 1003, data: { [field]: 'notAllowed' } });
    expect(await operator.ok('cloud/store/probe', OBJECT_STORE)).toEqual({ step: 'write', reason });
    expect((await operator.ok('cloud/store/list', {})).total).toBe(0);
  });

  it('keeps its secret when it is changed, but sends it to no other address', async () => {
    const { storeId, version } = await save();
    const { secretKey: _secret, ...place } = OBJECT_STORE;
    const changed = { ...place, storeId, version, storeName: 'Renamed' };
    expect((await operator.ok('cloud/store/save', changed)).storeInfo).toMatchObject({
      storeName: 'Renamed',
      version: 2,
    });
    expect(site.settings?.objectStores?.[0]?.secretKey).toBe('secret');
    const probed = site.probedStores.length;
    const moved = { ...changed, version: 2, endpoint: 'https://elsewhere.example' };
    expect(await operator.raw('cloud/store/save', moved)).toMatchObject({
      code: 1003,
      data: { secretKey: 'required' },
    });
    expect(site.probedStores).toHaveLength(probed);
    expect(await operator.raw('cloud/store/save', changed)).toMatchObject({
      code: 1010,
      data: { storeName: 'Renamed' },
    });
  });

  it.each([
    'https://objects.example/path',
    'https://objects.example/?a=1',
    'https://user@objects.example',
  ])('is not at %s', async (endpoint) => {
    const answer = await operator.raw('cloud/store/probe', { ...OBJECT_STORE, endpoint });
    expect(answer).toMatchObject({ code: 1003, data: { endpoint: 'format' } });
  });

  it('is the default alone, and is not deleted while a plan names it', async () => {
    const first = await save({ isDefault: true });
    const second = await save({ storeName: 'Second', isDefault: true });
    const { storeList } = await operator.ok('cloud/combo/list', {});
    expect(storeList.filter(({ isDefault }) => isDefault).map(({ storeId }) => storeId)).toEqual([second.storeId]);
    await operator.ok('cloud/plan/open', { ...dev(), comboType: 3, days: 30, storeId: first.storeId });
    expect((await operator.raw('cloud/store/delete', { storeId: first.storeId })).code).toBe(1016);
    await operator.ok('cloud/store/delete', { storeId: second.storeId });
  });
});

describe('a cloud plan', () => {
  it('[RS-01] [EN-22] is opened for a channel and days, reaches its site, and is closed', async () => {
    const { storeId } = await save({ isDefault: true });
    const { comboList } = await operator.ok('cloud/combo/list', {});
    expect(comboList.map(({ comboType }) => comboType)).toEqual([1, 2, 3]);
    await operator.ok('cloud/plan/open', { ...dev(), comboType: 2, days: 30 });
    expect(assignedChannel()?.cloud).toMatchObject({ storeId, comboType: 2, days: 30 });
    await operator.ok('cloud/plan/open', { ...dev(), comboType: 3, days: 7 });
    expect(assignedChannel()?.cloud).toMatchObject({ comboType: 3, days: 7 });
    const channelId = assignedChannel()?.channelId ?? '';
    const figures = {
      waitingFiles: 3,
      waitingBytes: 45e6,
      waitingSince: 1000,
      storedFiles: 9,
      storedBytes: 1e8,
      lostFiles: 2,
    };
    site.cloudBacklogs = [{ channelId, ...figures, reason: 'unreachable' }];
    const { planList } = await operator.ok('cloud/plan/list', {});
    expect(planList).toMatchObject([
      { ...dev(), isKnown: true, ...figures, reason: 'unreachable', storeName: 'Archive' },
    ]);
    await operator.ok('cloud/plan/close', dev());
    expect(assignedChannel()?.cloud).toBeUndefined();
    expect((await operator.raw('cloud/plan/close', dev())).code).toBe(1007);
  });

  it('needs a store, and says what it would hold', async () => {
    expect((await operator.raw('cloud/plan/open', { ...dev(), comboType: 3, days: 30 })).code).toBe(1007);
    const estimate = async (comboType: 2 | 3) =>
      await operator.ok('cloud/plan/estimate', { ...dev(), comboType, days: 10 });
    expect(await estimate(3)).toEqual({ bytesPerDay: null, bytes: null });
    const channelId = assignedChannel()?.channelId ?? '';
    site.channelUses = [{ channelId, usedBytes: 1, bytesPerDay: 1000, oldestAt: 0, newestAt: 1 }];
    expect(await estimate(3)).toEqual({ bytesPerDay: 1000, bytes: 10_000 });
  });

  it('[RS-01] [EN-22] of pictures copies snapshots of alarms sealed, shows them from the store, says why one fails, and deletes them after their days', async () => {
    const picture = { contentType: 'image/jpeg', data: Buffer.from('a picture of somebody').toString('base64') };
    site.snapshot = picture;
    await operator.ok('alarm/rule/save', SNAPSHOT_RULE);
    await site.reportEvent(deviceSerial, { topic: 'tnsvdt:Alarm/DoorForced', key: 'k' });
    const alarm = async () => (await operator.ok('alarm/list', { types: ['DoorForced'] })).alarmList[0];
    await waitFor('the snapshot', async () => ((await alarm())?.pictureTime ?? null) !== null);
    const { alarmId = '', pictureTime } = (await alarm()) ?? {};
    site.snapshot = null;

    await save({ isDefault: true });
    site.storeReason = 'denied';
    await operator.ok('cloud/plan/open', { ...dev(), comboType: 1, days: 30 });
    const plan = async () => (await operator.ok('cloud/plan/list', {})).planList[0];
    await waitFor('the refusal to be told', async () => (await plan())?.reason === 'denied');
    expect(await plan()).toMatchObject({ isKnown: true, waitingFiles: 1, waitingBytes: 21, storedFiles: 0 });
    expect(assignedChannel()?.cloud, 'the site copies no recordings').toBeUndefined();
    site.storeReason = null;
    await operator.ok('cloud/plan/open', { ...dev(), comboType: 1, days: 30 });
    await waitFor('the copy', async () => (await plan())?.storedFiles === 1);
    expect(await plan()).toMatchObject({ waitingFiles: 0, reason: null });
    const [[name, sealed] = ['', '']] = [...site.objects];
    const { channelId = '' } = site.assigned.get(deviceSerial)?.channels[0] ?? {};
    expect(name).toMatch(new RegExp(`^${channelId}/snapshots/[0-9]{8}/${alarmId}$`));
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('picture');
    expect(await operator.ok('cloud/plan/estimate', { ...dev(), comboType: 1, days: 10 })).toMatchObject({
      bytes: 210,
    });

    await runSql(server, 'delete from alarm_picture');
    const shown = async () => (await operator.ok('alarm/picture', { alarmId })).picture;
    expect(await shown()).toEqual({ ...picture, time: pictureTime, isTaken: true });
    site.storeReason = 'unreachable';
    expect(await shown()).toBeNull();
    site.storeReason = null;
    site.objects.set(name, Buffer.from('what somebody else wrote there').toString('base64'));
    expect(await shown()).toBeNull();

    // What is in a store is not kept here as well for longer than a week.
    await runSql(server, `insert into alarm_picture select 1, 'old', 'image/jpeg', 'x'`);
    await runSql(
      server,
      `insert into alarm_picture_copy
      select 1, 'old', channel_id, owner_id, site_id, store_id, content_type, 1, kept_until from alarm_picture_copy`,
    );
    await operator.ok('cloud/plan/open', { ...dev(), comboType: 1, days: 30 });
    await waitFor('it to go', async () => (await runSql(server, 'select 1 from alarm_picture')).length === 0);
    await runSql(server, 'update alarm_picture_copy set kept_until = 1');
    await operator.ok('cloud/plan/open', { ...dev(), comboType: 1, days: 30 });
    await waitFor('the end of its days', async () => (await plan())?.storedFiles === 0);
    expect([...site.objects]).toEqual([]);
  });

  it('of pictures whose store is away holds up no other store, however many wait', async () => {
    const target = 'rtsp://192.0.2.2/1';
    const other = (await operator.ok('device/add', { target, deviceName: 'Yard' })).device.deviceSerial;
    site.snapshot = { contentType: 'image/jpeg', data: Buffer.from('somebody').toString('base64') };
    for (const serial of [deviceSerial, other]) {
      await site.reportEvent(serial, { topic: 'tnsvdt:Alarm/DoorForced', key: 'many' });
      const pictured = async () => (await runSql(server, 'select 1 from alarm_picture')).length;
      await waitFor('the snapshot', async () => (await pictured()) === (serial === other ? 2 : 1));
    }
    // A hundred more of the first device, all older than that of the other one.
    await runSql(
      server,
      `with more as (
        insert into alarm
        select (jsonb_populate_record(alarm, jsonb_build_object('alarm_id', 'more' || n, 'start_time', start_time - n))).*
        from alarm join alarm_picture using (start_time, alarm_id), generate_series(1, 100) as n
        where alarm.device_id = (select device_id from device where device_serial = '${deviceSerial}')
        returning start_time, alarm_id
      ) insert into alarm_picture select start_time, alarm_id, 'image/jpeg', 'x' from more`,
    );
    const [away, there] = [await save({ isDefault: true }), await save({ storeName: 'Other' })];
    site.awayStores.add(away.storeId);
    await operator.ok('cloud/plan/open', { ...dev(), comboType: 1, days: 30 });
    await operator.ok('cloud/plan/open', {
      ...devOf({ deviceSerial: other, channelNo: 1 }),
      comboType: 1,
      days: 30,
      storeId: there.storeId,
    });
    const plans = async () => (await operator.ok('cloud/plan/list', {})).planList;
    const planOf = async (serial: string) => (await plans()).find((plan) => plan.deviceSerial === serial);
    await waitFor('the copy', async () => (await planOf(other))?.storedFiles === 1);
    expect(await planOf(deviceSerial)).toMatchObject({ waitingFiles: 101, storedFiles: 0, reason: 'unreachable' });
    expect(await planOf(other)).toMatchObject({ waitingFiles: 0, reason: null });
    site.awayStores.clear();
    await runSql(server, 'delete from alarm_picture');
    await operator.ok('device/delete', { deviceSerial: other });
  });

  it('is not shown to another account', async () => {
    await save({ isDefault: true });
    await operator.ok('cloud/plan/open', { ...dev(), comboType: 3, days: 30 });
    await operator.ok('user/add', { username: 'stranger', password: 'Secret-1', userType: 2 });
    const stranger = await server.signIn('stranger', 'Secret-1');
    expect((await stranger.ok('cloud/plan/list', {})).total).toBe(0);
    expect((await stranger.raw('cloud/plan/close', dev())).code).toBe(1009);
  });
});

it('an alarm tells the owner of a camera which recording its object store has lost, and nobody else', async () => {
  const startMs = Date.now() - 3_600_000;
  const lost = { track: { channelId: 'c1', quality: 0 }, startMs, storeId: '1' } as const;
  await site.reportStored(lostCopyReport(lost, dev(), Date.now()));
  const { alarmList } = await operator.ok('alarm/list', { types: ['RecordingLost'] });
  expect(alarmList).toMatchObject([{ deviceSerial, channelNo: 1, type: 'RecordingLost', severity: 'critical' }]);
  expect(JSON.stringify(alarmList)).toContain(new Date(startMs).toISOString());
  await operator.ok('user/add', { username: 'elsewhere', password: 'Watch-2027', userType: 2 });
  const other = await server.signIn('elsewhere', 'Watch-2027');
  expect((await other.ok('alarm/list', {})).alarmList).toEqual([]);
});
