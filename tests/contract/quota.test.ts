// Quotas over the real server: reserved under a lock, refused by 1011 with figures, set by the operator, counted for the owner.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUOTA_NAMES, QUOTAS, type QuotaExceeded, type QuotaName } from '@vedette/contract/quotas.ts';
import type { CountedQuota } from '../../server/database/account/quota.queries.ts';
import { crossingTask } from './inputs/analysis-tasks.ts';
import { DOT_PICTURE, ruleTelling, SLACK } from './inputs/input-fixture.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { upload } from './upload-firmware.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let tenant: CallClient;
let tenantId: string;
let clerk: CallClient;
let friend: CallClient;
let yard: string;
let camera: string;
let lent: string;
let made = 0;

const PASSWORD = 'Secret-1';

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  ({ userId: tenantId } = await operator.ok('user/add', { username: 'tenant', password: PASSWORD, userType: 2 }));
  await operator.ok('user/add', { username: 'friend', password: PASSWORD, userType: 2 });
  [tenant, friend] = [await server.signIn('tenant', PASSWORD), await server.signIn('friend', PASSWORD)];
  const { organizationId } = await tenant.ok('org/add', { organizationName: 'Yard' });
  yard = organizationId;
  await tenant.ok('user/add', {
    username: 'clerk',
    password: PASSWORD,
    userType: 5,
    organizationIds: [organizationId],
  });
  clerk = await server.signIn('clerk', PASSWORD);
  const order = { target: 'rtsp://192.0.2.1/1', deviceName: 'Gate', organizationId };
  camera = (await tenant.ok('device/add', order)).device.deviceSerial;
  lent = (await friend.ok('device/add', { target: 'rtsp://192.0.2.2/1', deviceName: 'Lent' })).device.deviceSerial;
  const permission = ['videotapeView' as const];
  await friend.ok('share/add', { account: 'tenant', items: [{ deviceSerial: lent }], permission });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function quotaOf(client: CallClient, quota: QuotaName) {
  const found = (await client.ok('quota/list', {})).quotaList.find((one) => one.quota === quota);
  if (found === undefined) throw new Error(`${quota} is not listed`);
  return found;
}

async function limit(quota: QuotaName, most: number | null): Promise<void> {
  await operator.ok('quota/set', { userId: tenantId, quotaList: [{ quota, limit: most }] });
}

const dev = () => ({ deviceSerial: camera, channelNo: 1 });
const range = { startTime: 1_000_000, endTime: 1_001_000 };
const future = 4_000_000_000_000;

/** One more of each kind, by the call that makes it. */
const MAKERS: { readonly [Q in CountedQuota]: (index: number) => Promise<{ code: number; data: unknown }> } = {
  devices: (index) => tenant.raw('device/add', { target: `rtsp://198.51.100.${index}/1`, deviceName: `D${index}` }),
  channels: (index) => tenant.raw('device/add', { target: `rtsp://203.0.113.${index}/1`, deviceName: `C${index}` }),
  organizations: (index) => tenant.raw('org/add', { organizationName: `O${index}` }),
  groups: (index) => tenant.raw('group/add', { groupName: `G${index}` }),
  roles: (index) => tenant.raw('role/add', { roleName: `R${index}`, permissions: ['Realplay'] }),
  subAccounts: (index) => tenant.raw('user/add', { username: `sub${index}`, password: PASSWORD, userType: 5 }),
  invitations: () => tenant.raw('user/invitation/create', {}),
  layouts: (index) => tenant.raw('layout/save', { name: `L${index}`, split: 4, tiles: [] }),
  floorPlans: (index) =>
    tenant.raw('floorPlan/save', { organizationId: yard, name: `F${index}`, picture: DOT_PICTURE, cameraList: [] }),
  shares: () =>
    tenant.raw('share/add', { account: 'friend', items: [{ deviceSerial: camera }], permission: ['videoView'] }),
  links: () => tenant.raw('share/link/create', { live: dev(), permission: ['videoView'], endTime: future }),
  transfers: async (index) => {
    const order = { target: `rtsp://192.0.2.200/${index}`, deviceName: `T${index}` };
    const { deviceSerial } = (await tenant.ok('device/add', order)).device;
    return await tenant.raw('device/transfer', { deviceSerial, account: 'friend' });
  },
  locks: (index) => tenant.raw('record/lock', { ...dev(), ...range, name: `K${index}` }),
  sharedLocks: (index) => tenant.raw('record/lock', { deviceSerial: lent, channelNo: 1, ...range, name: `K${index}` }),
  bookmarks: (index) => tenant.raw('record/bookmark/add', { ...dev(), ...range, name: `B${index}` }),
  analysisTasks: (index) => tenant.raw('ai/task/save', crossingTask(camera, `A${index}`)),
  exports: () => tenant.raw('record/export/start', { items: [{ ...dev(), ...range }] }),
  alarmRules: async () => {
    const channels = (await tenant.ok('alarm/channel/list', {})).channelList;
    return await tenant.raw('alarm/rule/save', ruleTelling(channels[0]?.channelId ?? ''));
  },
  messageChannels: (index) =>
    tenant.raw('alarm/channel/save', { kind: 'slack', name: `M${index}`, isEnabled: true, settings: SLACK }),
  ingestKeys: (index) => tenant.raw('event/key/add', { name: `I${index}` }),
  firmwarePackages: async () => (await upload(server, { token: tenant.accessToken }))?.body ?? { code: 0, data: null },
  firmwareBytes: async () =>
    (await upload(server, { token: tenant.accessToken, file: Buffer.alloc(1) }))?.body ?? { code: 0, data: null },
};

const AT_ONCE = 12;
const FREE = 3;

describe('[SE-100] a quota', () => {
  it.each(Object.keys(MAKERS) as CountedQuota[])('of %s is not exceeded by parallel calls', async (quota) => {
    if (quota === 'alarmRules') await MAKERS.messageChannels(0);
    const before = (await quotaOf(tenant, quota)).used ?? 0;
    await limit(quota, before + FREE);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => MAKERS[quota]((made += 1))));
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(FREE);
    const refused = answers.filter(({ code }) => code === 1011);
    expect(refused).toHaveLength(AT_ONCE - FREE);
    const expected: QuotaExceeded = { quota, limit: before + FREE, used: before + FREE };
    expect((await MAKERS[quota]((made += 1))).data).toEqual(expected);
    expect(await quotaOf(tenant, quota)).toMatchObject({ ...expected, setFor: 'account' });
    await limit(quota, null);
  }, 60_000);

  it('of devices holds for fifty parallel calls', async () => {
    const { used } = await quotaOf(tenant, 'devices');
    await limit('devices', (used ?? 0) + 8);
    const codes = await Promise.all(
      Array.from({ length: 50 }, async (_none, index) => {
        const order = { target: `rtsp://198.18.0.${index}/1`, deviceName: `P${index}` };
        return (await tenant.call('device/add', order)).code;
      }),
    );
    expect(codes.filter((code) => code === 200)).toHaveLength(8);
    expect(codes.filter((code) => code === 1011)).toHaveLength(42);
    await limit('devices', null);
  }, 60_000);

  it('lowered below its use removes nothing, and refuses new objects', async () => {
    const { used } = await quotaOf(tenant, 'groups');
    await limit('groups', 1);
    expect((await tenant.ok('group/list', {})).total).toBe((used ?? 0) + 1);
    const refused = await tenant.raw('group/add', { groupName: 'One more' });
    expect(refused).toMatchObject({ code: 1011, data: { quota: 'groups', limit: 1, used } });
    await limit('groups', null);
    expect((await tenant.raw('group/add', { groupName: 'One more' })).code).toBe(200);
  });

  it('counts objects of a sub-account for its owner', async () => {
    const { used } = await quotaOf(tenant, 'layouts');
    await limit('layouts', (used ?? 0) + 1);
    await clerk.ok('layout/save', { name: 'Desk', split: 4, tiles: [] });
    for (const client of [clerk, tenant]) {
      const answer = await client.raw('layout/save', { name: 'Another', split: 4, tiles: [] });
      expect(answer).toMatchObject({ code: 1011, data: { quota: 'layouts', limit: (used ?? 0) + 1 } });
    }
    expect(await quotaOf(clerk, 'layouts')).toEqual(await quotaOf(tenant, 'layouts'));
    await limit('layouts', null);
  });

  it('refuses a device with too many channels, and a recipient at its limit', async () => {
    await limit('channelsPerDevice', 4);
    const order = (channels: number) => ({ target: `rtsp://192.0.2.77/${channels}`, deviceName: 'Recorder' });
    const refused = await tenant.call('device/add', order(5));
    expect(refused).toMatchObject({ code: 1011, data: { quota: 'channelsPerDevice', limit: 4, used: 5 } });
    expect((await tenant.call('device/add', order(4))).code).toBe(200);
    await limit('channelsPerDevice', null);
    expect((await tenant.call('device/add', { ...order(257), deviceName: 'Crowd' })).code).toBe(1011);
    await limit('devices', 1);
    const { transferId } = await friend.ok('device/transfer', { deviceSerial: lent, account: 'tenant' });
    const full = await tenant.call('device/transfer/accept', { transferId });
    expect(full).toMatchObject({ code: 1011, data: { quota: 'devices', limit: 1 } });
    expect(await quotaOf(friend, 'devices')).toMatchObject({ used: 1 });
    await limit('devices', null);
  });
});

describe('[RS-05] setting quotas', () => {
  it('by user type applies to accounts without a limit of their own', async () => {
    const set = (most: number | null) =>
      operator.ok('quota/set', { userType: 'ordinary', quotaList: [{ quota: 'links', limit: most }] });
    await set(7);
    expect(await quotaOf(friend, 'links')).toMatchObject({ limit: 7, setFor: 'userType' });
    expect(await quotaOf(operator, 'links')).toMatchObject({ limit: QUOTAS.links.usual.super, setFor: 'product' });
    await limit('links', 9);
    expect(await quotaOf(tenant, 'links')).toMatchObject({ limit: 9, setFor: 'account' });
    const { defaultList } = await operator.ok('quota/default/list', {});
    expect(defaultList.map(({ quota }) => quota)).toEqual(QUOTA_NAMES);
    expect(defaultList.find(({ quota }) => quota === 'links')?.limits).toMatchObject({
      ordinary: { limit: 7, isSet: true },
      super: { isSet: false },
    });
    await limit('links', null);
    expect(await quotaOf(tenant, 'links')).toMatchObject({ limit: 7, setFor: 'userType' });
    await set(null);
    expect(await quotaOf(tenant, 'links')).toMatchObject({ limit: QUOTAS.links.usual.ordinary, setFor: 'product' });
  });

  it('is the operator’s alone, up to the ceiling, for accounts that have quotas', async () => {
    const wish = { quotaList: [{ quota: 'links' as const, limit: 1 }] };
    expect((await tenant.call('quota/set', { userId: tenantId, ...wish })).code).toBe(1004);
    expect((await tenant.call('quota/default/list', {})).code).toBe(1004);
    expect((await friend.call('quota/list', { userId: tenantId })).code).toBe(1007);
    expect((await operator.ok('quota/list', { userId: tenantId })).quotaList).toEqual(
      (await tenant.ok('quota/list', {})).quotaList,
    );
    const over = { quotaList: [{ quota: 'channelsPerDevice' as const, limit: 257 }] };
    expect((await operator.call('quota/set', { userType: 'super', ...over })).code).toBe(1003);
    expect((await operator.call('quota/set', wish)).code).toBe(1003);
    expect((await operator.call('quota/set', { userType: 'super', userId: tenantId, ...wish })).code).toBe(1003);
    const clerkId = (await tenant.ok('user/list', {})).userList.find(({ userName }) => userName === 'clerk')?.userId;
    expect((await operator.call('quota/set', { userId: clerkId ?? '', ...wish })).code).toBe(1007);
  });
});
