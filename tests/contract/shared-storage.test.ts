// What a share grants of recordings and storage: locks, exports, plans and disks on devices of others, and an upgrade of the product.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUOTAS } from '@vedette/contract/quotas.ts';
import { RECORD_LIMITS } from '@vedette/contract/limits.ts';
import type { ShareRight } from '@vedette/contract/permissions.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let friend: CallClient;
let recorder: string;

async function account(name: string, more: object = {}): Promise<CallClient> {
  await operator.ok('user/add', { username: name, password: 'Secret-1', userType: 2, ...more });
  return await server.signIn(name, 'Secret-1');
}

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  site.spans = [{ startTime: 0, endTime: 600_000, recordType: 1 }];
  [owner, friend] = [await account('owner'), await account('friend')];
  const order = { target: 'rtsp://192.0.2.60/4', deviceName: 'Recorder' };
  recorder = (await owner.ok('device/add', order)).device.deviceSerial;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const HOUR = 3_600_000;
const dev = (channelNo = 1) => ({ deviceSerial: recorder, channelNo });
const range = { startTime: 1_000_000, endTime: 2_000_000 };
const locksAtSite = (channelNo = 1) =>
  site.assigned.get(recorder)?.channels.find((channel) => channel.channelNo === channelNo)?.locks;

async function share(permission: ShareRight[], more: object = {}): Promise<string> {
  const order = { account: 'friend', items: [{ deviceSerial: recorder }], permission, ...more };
  return (await owner.ok('share/add', order)).shareId;
}

async function withdraw(shareId: string): Promise<void> {
  await owner.ok('share/delete', { shareId, shareType: 2 });
}

async function query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: server.database.url });
  await client.connect();
  const result = await client.query(text, values);
  await client.end();
  return result;
}

describe('[SE-31] a retention lock', () => {
  it('never lies in the future', async () => {
    const lock = async (startTime: number, endTime: number) =>
      (await owner.call('record/lock', { ...dev(), startTime, endTime, name: 'x' })).code;
    const now = Date.now();
    expect(await lock(now + 60_000, now + HOUR)).toBe(1003);
    expect(await lock(now - HOUR, now + HOUR)).toBe(1003);
    // A browser whose clock is a little ahead.
    const made = await owner.ok('record/lock', { ...dev(), startTime: now - HOUR, endTime: now + 3000, name: 'Now' });
    expect(made.lock.endTime).toBeLessThanOrEqual(Date.now());
    await owner.ok('record/unlock', { ...dev(), lockId: made.lock.lockId });
  });

  it("of a share's receiver ends when the share is withdrawn, and the owner sees its creator", async () => {
    const shareId = await share(['videotapeView']);
    const { lock } = await friend.ok('record/lock', { ...dev(), ...range, name: 'Seen' });
    const own = await owner.ok('record/lock', { ...dev(), startTime: 1, endTime: 2, name: 'Own' });
    const { lockList } = await owner.ok('record/lock/list', dev());
    expect(lockList).toMatchObject([
      { lockId: lock.lockId, createdBy: 'friend', isByShare: true },
      { lockId: own.lock.lockId, createdBy: 'owner', isByShare: false },
    ]);
    expect(locksAtSite()).toHaveLength(2);
    await withdraw(shareId);
    await waitFor('the site to let the footage go', () => locksAtSite()?.length === 1);
    expect((await owner.ok('record/lock/list', dev())).lockList).toMatchObject([{ lockId: own.lock.lockId }]);
    await owner.ok('record/unlock', { ...dev(), lockId: own.lock.lockId });
  });

  it('ends with a share that loses playback or expires, and survives closed hours', async () => {
    const shareId = await share(['videotapeView', 'videoView']);
    const lock = async () => (await friend.ok('record/lock', { ...dev(), ...range, name: 'Seen' })).lock.lockId;
    const held = async () => (await owner.ok('record/lock/list', dev())).total;
    await lock();
    const hour = new Date(Date.now() + 3 * HOUR).getUTCHours() % 23;
    const two = (value: number) => String(value).padStart(2, '0');
    const entryList = [{ StartTime: `${two(hour)}:00:00`, EndTime: `${two(hour)}:30:00`, Type: 1 as const }];
    await owner.ok('share/update', { shareId, plan: [{ day: 1, entryList }], timeZone: 'UTC' });
    // What is told next has been taken in by the same follower after it.
    const other = await share(['talk'], { items: [{ deviceSerial: recorder, channelNo: 4 }] });
    expect(await held()).toBe(1);
    await withdraw(other);
    await owner.ok('share/update', { shareId, plan: null, permission: ['videoView'] });
    await waitFor('the lock to go with the right', async () => (await held()) === 0);
    await owner.ok('share/update', { shareId, permission: ['videotapeView'], endTime: Date.now() + 1500 });
    await lock();
    await waitFor('the lock to go with the share', async () => (await held()) === 0);
    await withdraw(shareId);
  });

  it("counts towards its creator's quota, not the owner's", async () => {
    const shareId = await share(['videotapeView']);
    const lock = async (client: CallClient, at: number, lengthMs: number, channelNo = 1) =>
      (await client.call('record/lock', { ...dev(channelNo), startTime: at, endTime: at + lengthMs, name: 'x' })).code;
    const most = RECORD_LIMITS.sharedLockS * 1000;
    expect(await lock(friend, 1, most)).toBe(200);
    expect(await lock(friend, 1, 1, 2)).toBe(1011);
    expect(await lock(owner, 1, most)).toBe(200);
    const { lockList } = await owner.ok('record/lock/list', dev());
    const theirs = lockList.find(({ isByShare }) => isByShare);
    // The owner removes what another has locked, and who has the share may not remove the owner's.
    await owner.ok('record/unlock', { ...dev(), lockId: theirs?.lockId ?? '' });
    const mine = lockList.find(({ isByShare }) => !isByShare);
    expect((await friend.call('record/unlock', { ...dev(), lockId: mine?.lockId ?? '' })).code).toBe(1004);
    await owner.ok('share/update', { shareId, permission: ['videotapeView', 'equipmentConfiguration'] });
    expect((await friend.call('record/unlock', { ...dev(), lockId: mine?.lockId ?? '' })).code).toBe(1004);
    for (let index = 0; index < QUOTAS.sharedLocks.usual.ordinary; index += 1) {
      expect(await lock(friend, index * 10 + 1, 5, 1 + (index % 4))).toBe(200);
    }
    expect(await lock(friend, 1, 5, 3)).toBe(1011);
    await withdraw(shareId);
    await waitFor('all of them to go', async () => (await owner.ok('record/lock/list', dev(2))).total === 0);
    await owner.ok('record/unlock', { ...dev(), lockId: mine?.lockId ?? '' });
  });
});

describe('[SE-31] [SE-18] rights to change recording and retention', () => {
  it('are not included in configuring a shared device; a separate right grants them', async () => {
    const shareId = await share(['equipmentConfiguration', 'videotapeView']);
    const { timeZone: _zone, ...plan } = await friend.ok('record/plan/get', dev());
    const off = { ...dev(), ...plan, plan: [], retentionDays: 1, quotaBytes: RECORD_LIMITS.quotaBytesMin };
    const storage = { ...dev(), section: 'storage' as const, value: { overwrite: false }, version: 'v1' };
    expect((await friend.call('record/plan/set', off)).code).toBe(1004);
    expect((await friend.call('config/storage/format', { ...dev(), disk: '1' })).code).toBe(1004);
    expect((await friend.call('config/set', storage)).code).toBe(1004);
    expect((await owner.ok('record/plan/get', dev())).version).toBe(plan.version);
    await owner.ok('share/update', {
      shareId,
      permission: ['equipmentConfiguration', 'videotapeView', 'RecordConfig'],
    });
    expect((await friend.call('record/plan/set', { ...dev(), ...plan })).code).toBe(200);
    expect((await friend.call('config/storage/format', { ...dev(), disk: '1' })).code).not.toBe(1004);
    await withdraw(shareId);
  });

  it('belong to accounts with a role of the owner; a share by a role does not grant them', async () => {
    const permissions = ['Realplay', 'Config', 'RecordConfig', 'Reshare'] as const;
    const { roleId } = await owner.ok('role/add', {
      roleName: 'Staff',
      permissions: [...permissions],
      resources: null,
    });
    const order = { account: 'friend', items: [{ deviceSerial: recorder }], shareType: 1 as const, roleId };
    const { shareId } = await owner.ok('share/add', order);
    const { deviceList } = await friend.ok('device/list', {});
    expect(deviceList).toMatchObject([{ permission: ['Realplay', 'Config'] }]);
    const { timeZone: _zone, ...plan } = await friend.ok('record/plan/get', dev());
    expect((await friend.call('record/plan/set', { ...dev(), ...plan })).code).toBe(1004);
    await owner.ok('share/delete', { shareId, shareType: 1 });
    const { organizationId } = await owner.ok('org/add', { organizationName: 'Yard' });
    await owner.ok('device/move', { deviceSerial: recorder, organizationId });
    const staff = { username: 'staff', password: 'Secret-1', roleIds: [roleId], organizationIds: [organizationId] };
    await owner.ok('user/add', staff);
    const hand = await server.signIn('staff', 'Secret-1');
    expect((await hand.call('record/plan/set', { ...dev(), ...plan })).code).toBe(200);
    // A sub-account shares nothing, whatever its role says.
    const live = { live: dev(), endTime: Date.now() + HOUR };
    expect((await hand.call('share/link/create', live)).code).toBe(1004);
  });
});

describe('[SE-30] exporting recordings', () => {
  it('requires the export right beside playback, and ends with it', async () => {
    const shareId = await share(['videotapeView']);
    const wanted = { items: [{ ...dev(), startTime: 0, endTime: 600_000 }] };
    expect((await friend.call('record/export/estimate', wanted)).code).toBe(1004);
    expect((await friend.call('record/export/start', wanted)).code).toBe(1004);
    await owner.ok('share/update', { shareId, permission: ['Export'] });
    expect((await friend.call('record/export/start', wanted)).code).toBe(1004);
    await owner.ok('share/update', { shareId, permission: ['videotapeView', 'Export'] });
    const { task } = await friend.ok('record/export/start', wanted);
    await owner.ok('share/update', { shareId, permission: ['videotapeView'] });
    await waitFor('the export to end', () => site.endedExports.some(({ taskId }) => taskId === task));
    expect((await friend.ok('record/export/status', { task })).code).toBe(1017);
    await withdraw(shareId);
  });
});

describe('an upgrade of the product', () => {
  it('keeps exports, roles and re-shares, and removes storage rights from shares', async () => {
    await account('third');
    await owner.ok('role/add', { roleName: 'Older', permissions: ['Realplay'], resources: null });
    const shareId = await share(['videotapeView', 'equipmentConfiguration', 'Reshare']);
    const passed = { account: 'third', items: [dev()], permission: ['videotapeView' as const] };
    await friend.ok('share/add', passed);
    const third = await server.signIn('third', 'Secret-1');
    await friend.ok('record/lock', { ...dev(), ...range, name: 'Seen' });
    const now = Date.now();
    const { lock } = await owner.ok('record/lock', { ...dev(), startTime: now - HOUR, endTime: now - 1, name: 'Own' });
    await server.end();
    // As the tables were before.
    await query(`update grant_row set permissions = array_remove(array_remove(array_remove(permissions,
      'Export'), 'RecordConfig'), 'Reshare')`);
    await query("update role set permissions = '{Realplay,Replay,Config}'");
    await query('update footage_lock set end_time = end_time + $2 where lock_id = $1', [lock.lockId, HOUR]);
    for (const [table, column] of [
      ['share', 'needs_reshare'],
      ['share_link', 'needs_reshare'],
      ['footage_lock', 'by_share'],
      ['footage_lock', 'until'],
    ])
      await query(`alter table ${table} drop column ${column}`);
    await query('delete from migration where name = $1', ['0024_rights_of_shares.sql']);
    await server.run();
    [owner, friend] = [await server.signIn('owner', 'Secret-1'), await server.signIn('friend', 'Secret-1')];
    site = await ScriptedSite.dial(server, site);
    const wanted = { items: [{ ...dev(), startTime: 0, endTime: 600_000 }] };
    await friend.ok('record/export/start', wanted);
    expect((await friend.call('config/storage/format', { ...dev(), disk: '1' })).code).toBe(1004);
    expect((await friend.call('share/add', { ...passed, account: 'operator' })).code).toBe(1004);
    expect((await third.call('record/calendar', { ...dev(), year: 2026, month: 1, srcType: 0 })).code).toBe(200);
    const role = (await owner.ok('role/list', {})).roleList.find(({ roleName }) => roleName === 'Older');
    expect(role?.permissions).toEqual(['Realplay', 'Replay', 'Config', 'Export', 'RecordConfig']);
    const { lockList } = await owner.ok('record/lock/list', dev());
    expect(lockList).toMatchObject([{ createdBy: 'owner', isByShare: false }, { isByShare: true }]);
    expect(lockList[0]?.endTime).toBeLessThanOrEqual(Date.now());
    await withdraw(shareId);
    await waitFor('the lock of the share to go', async () => (await owner.ok('record/lock/list', dev())).total === 1);
  });
});
