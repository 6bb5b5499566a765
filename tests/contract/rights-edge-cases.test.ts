// Edge cases of rights: limits of a managing sub-account, of shares, and of an operator who lost the rank.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import type { Permission } from '@vedette/contract/permissions.ts';
import { isLongRun } from '../harness/fault-rounds.ts';
import { waitFor } from '../harness/wait-for.ts';
import { prove, runSql } from './account-steps.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let ownerId: string;
let friend: CallClient;
let hall: string;
let yard: string;
let camera: string;
const PASSWORD = 'Secret-1';

async function account(maker: CallClient, username: string, more: object = {}): Promise<[CallClient, string]> {
  const { userId } = await maker.ok('user/add', { username, password: PASSWORD, ...more });
  return [await server.signIn(username, PASSWORD), userId];
}
const code = async (client: CallClient, path: CallPath, input: object) => (await client.raw(path, input)).code;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  [owner, ownerId] = await account(operator, 'owner', { userType: 2 });
  [friend] = await account(operator, 'friend', { userType: 2 });
  hall = (await owner.ok('org/add', { organizationName: 'Hall' })).organizationId;
  yard = (await owner.ok('org/add', { organizationName: 'Yard', parentOrgId: hall })).organizationId;
  const order = { target: 'rtsp://192.0.2.10/1', deviceName: 'Door', organizationId: yard };
  camera = (await owner.ok('device/add', order)).device.deviceSerial;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

describe('[SE-28] a sub-account with DeviceManage', () => {
  async function sub(username: string, permissions: Permission[]): Promise<CallClient> {
    const resources = [{ organizationId: hall }];
    const { roleId } = await owner.ok('role/add', { roleName: username, permissions, resources });
    return (await account(owner, username, { roleIds: [roleId] }))[0];
  }

  it('adds no device to the root, transfers none, and creates no organisation beside those it manages', async () => {
    const keeper = await sub('keeper', ['DeviceManage', 'OrganizationManage']);
    const order = { target: 'rtsp://192.0.2.11/1', deviceName: 'Second' };
    expect(await code(keeper, 'device/add', order)).toBe(1007);
    expect(await code(keeper, 'device/move', { deviceSerial: camera, organizationId: '0' })).toBe(1007);
    expect(await code(keeper, 'device/transfer', { deviceSerial: camera, account: 'friend' })).toBe(1004);
    expect(await code(keeper, 'device/code', { deviceSerial: camera })).toBe(1004);
    expect(await code(keeper, 'org/add', { organizationName: 'Attic' })).toBe(1004);
    expect(await code(keeper, 'org/move', { organizationId: yard, parentOrgId: '0' })).toBe(1004);
    expect((await keeper.ok('device/add', { ...order, organizationId: hall })).device.organizationId).toBe(hall);
  });

  it('creates no guest links', async () => {
    const looker = await sub('looker', ['Realplay', 'Replay']);
    const link = { live: { deviceSerial: camera, channelNo: 1 }, endTime: Date.now() + 3_600_000 };
    expect(await code(looker, 'share/link/create', link)).toBe(1004);
  });

  it('receives no device, nor does a background account', async () => {
    await account(operator, 'desk', { userType: 3 });
    for (const name of ['keeper', 'desk']) {
      expect(await code(owner, 'device/transfer', { deviceSerial: camera, account: name }), name).toBe(1007);
    }
  });
});

it('[EN-03] the root is never renamed, moved or deleted', async () => {
  expect(await code(owner, 'org/update', { organizationId: '0', organizationName: 'Mine', version: 1 })).toBe(1007);
  expect(await code(owner, 'org/move', { organizationId: '0', parentOrgId: hall })).toBe(1007);
  expect(await code(owner, 'org/delete', { organizationId: '0', moveTo: hall })).toBe(1007);
});

describe('[SE-28] [SE-31] a share', () => {
  it('shows no organisation above the shared one', async () => {
    const { shareId } = await owner.ok('share/add', {
      account: 'friend',
      items: [{ organizationId: yard }],
      permission: ['videoView'],
    });
    const { orgList } = await friend.ok('share/org/list', {});
    expect(orgList).toMatchObject([{ organizationId: yard, parentOrgId: '0' }]);
    for (const path of ['share/org/list', 'org/resource/list', 'org/list', 'device/list'] as const) {
      expect(JSON.stringify(await friend.ok(path, {})), path).not.toContain(hall);
    }
    await owner.ok('share/delete', { shareId, shareType: 2 });
  });

  it('moves nothing out of its owner’s organisations, even with DeviceManage', async () => {
    const own = (await friend.ok('org/add', { organizationName: 'Lair' })).organizationId;
    const { shareId } = await owner.ok('share/add', {
      account: 'friend',
      items: [{ organizationId: hall }],
      permission: ['videoView'],
    });
    await runSql(
      server,
      `update grant_row set permissions = '{Realplay,DeviceManage,OrganizationManage}' where share_id = '${shareId}'`,
    );
    expect(await code(friend, 'device/move', { deviceSerial: camera, organizationId: own })).toBe(1007);
    expect(await code(friend, 'device/move', { deviceSerial: camera, organizationId: '0' })).toBe(1007);
    expect(await code(friend, 'device/transfer', { deviceSerial: camera, account: 'friend' })).toBe(1004);
    expect(await code(friend, 'org/move', { organizationId: yard, parentOrgId: own })).toBe(1007);
    expect(await code(friend, 'org/move', { organizationId: yard, parentOrgId: '0' })).toBe(1004);
    expect(await code(friend, 'org/delete', { organizationId: yard, moveTo: own })).toBe(1007);
    expect((await owner.ok('device/get', { deviceSerial: camera })).device.organizationId).toBe(yard);
    await owner.ok('share/delete', { shareId, shareType: 2 });
  });

  it('cannot be accepted after its end', async () => {
    const offer = { account: 'friend', items: [{ deviceSerial: camera }], permission: ['videoView' as const] };
    const { shareId } = await owner.ok('share/add', offer);
    await runSql(server, `update share set accepted_at = null, end_time = 1 where share_id = '${shareId}'`);
    expect(await code(friend, 'share/accept', { shareId })).toBe(1017);
    await owner.ok('share/delete', { shareId, shareType: 2 });
  });

  it('keeps the owner’s group when the receiver sorts the device into a group', async () => {
    const items = [{ deviceSerial: camera }];
    const { shareId } = await owner.ok('share/add', { account: 'friend', items, permission: ['videoView'] });
    const put = async (client: CallClient, groupId: string) =>
      await client.ok('group/device/set', { groupId, deviceSerialList: [camera] });
    const group = async (client: CallClient) => (await client.ok('group/add', { groupName: 'Doors' })).groupId;
    const [mine, theirs] = [await group(owner), await group(friend)];
    await put(owner, mine);
    await put(friend, theirs);
    await put(friend, '0');
    const totals = async (client: CallClient) =>
      (await client.ok('group/list', {})).groupList.map(({ deviceTotal }) => deviceTotal);
    expect((await totals(owner)).at(-1)).toBe(1);
    expect((await totals(friend)).at(-1)).toBe(0);
    const isInDefault = async (client: CallClient) =>
      (await client.ok('device/list', { groupId: '0' })).deviceList.some(({ deviceSerial }) => deviceSerial === camera);
    expect([await isInDefault(owner), await isInDefault(friend)]).toEqual([false, true]);
    const placeOf = async (client: CallClient) => {
      const { device } = await client.ok('device/get', { deviceSerial: camera });
      return [device.organizationId, device.organizationName];
    };
    expect([await placeOf(owner), await placeOf(friend)]).toEqual([
      [yard, 'Yard'],
      ['0', ''],
    ]);
    await owner.ok('share/delete', { shareId, shareType: 2 });
  });
});

it('[SE-28] a role on a camera or channel grants nothing of it after a transfer', async () => {
  const order = { target: 'rtsp://192.0.2.12/1', deviceName: 'Given', organizationId: yard };
  const { deviceSerial } = (await owner.ok('device/add', order)).device;
  const permissions: Permission[] = ['Realplay'];
  const roles = [];
  for (const [roleName, resource] of [
    ['Of the camera', { deviceSerial }],
    ['Of its channel', { deviceSerial, channelNo: 1 }],
  ] as const)
    roles.push((await owner.ok('role/add', { roleName, permissions, resources: [resource] })).roleId);
  await friend.ok('device/transfer/accept', await owner.ok('device/transfer', { deviceSerial, account: 'friend' }));
  for (const [at, roleId] of roles.entries()) {
    const [porter] = await account(owner, `porter${at}`, { roleIds: [roleId] });
    expect((await porter.ok('org/resource/list', {})).resourceList).toEqual([]);
    expect((await porter.ok('org/search', { keyWord: 'Given' })).total).toBe(0);
    expect(await code(porter, 'channel/list', { deviceSerial })).toBe(1009);
  }
});

it('the end of a share of a transferred device is not reported', async () => {
  const order = { target: 'rtsp://192.0.2.13/1', deviceName: 'Lost', organizationId: yard };
  const { deviceSerial } = (await owner.ok('device/add', order)).device;
  const items = [{ deviceSerial }];
  const { shareId } = await owner.ok('share/add', { account: 'friend', items, permission: ['videotapeView'] });
  const asked = { deviceSerial, channelNo: 1, startTime: 0, endTime: 9 };
  expect(await code(friend, 'record/query', asked)).not.toBe(1017);
  await owner.ok('share/delete', { shareId, shareType: 2 });
  expect(await code(friend, 'record/query', asked)).toBe(1017);
  const [stranger] = await account(operator, 'stranger', { userType: 2 });
  await stranger.ok('device/transfer/accept', await owner.ok('device/transfer', { deviceSerial, account: 'stranger' }));
  expect(await code(friend, 'record/query', asked)).toBe(1009);
});

it('[SE-20] [SE-42] deleting an account deletes its own data, and no snooze of another', async () => {
  const [leaver, leaverId] = await account(operator, 'leaver', { userType: 2 });
  const order = { target: 'rtsp://192.0.2.14/1', deviceName: 'Taken along' };
  const { deviceSerial } = (await leaver.ok('device/add', order)).device;
  const own = `select channel_id from channel join device using (device_id) where device_serial = '${deviceSerial}'`;
  const ids = await runSql(server, own);
  const gone = site.removedRecordings.length;
  await operator.ok('user/delete', { userId: leaverId });
  expect(site.removedRecordings.slice(gone).map((channel_id) => ({ channel_id }))).toEqual(ids);
  const quiet = { mutedUntil: null, plan: null, timeZone: 'Asia/Tokyo', exceptCritical: false };
  const before = await owner.ok('alarm/quiet/get', {});
  await friend.ok('alarm/quiet/set', { quiet });
  expect(await owner.ok('alarm/quiet/get', {})).toEqual(before);
});

it('[PM-06] moving an account to other organisations keeps the others', async () => {
  const [, firstId] = await account(owner, 'placed1', { organizationIds: [hall] });
  const [second, secondId] = await account(owner, 'placed2', { organizationIds: [hall] });
  const placed = async (userId: string) =>
    (await owner.ok('user/list', {})).userList.find((user) => user.userId === userId)?.organizationIds;
  const seen = (await second.ok('org/resource/list', {})).total;
  expect(seen).toBeGreaterThan(0);
  await owner.ok('user/update', { userId: firstId, version: 1, organizationIds: [yard] });
  expect([await placed(firstId), await placed(secondId)]).toEqual([[yard], [hall]]);
  expect((await second.ok('org/resource/list', {})).total).toBe(seen);
});

it('[PM-06] changing a deleted role answers not found, and returns no newer version', async () => {
  const change = { roleId: 'gone', roleName: 'Gone', permissions: ['Realplay'], version: 1 };
  expect(await owner.raw('role/update', change)).toMatchObject({ code: 1007 });
});

it('[SE-33] a guest link of a disabled creator opens nothing', async () => {
  const live = { deviceSerial: camera, channelNo: 1 };
  const { linkId } = await owner.ok('share/link/create', { live, endTime: Date.now() + 3_600_000 });
  expect((await server.client().call('share/link/open', { linkId })).code).toBe(200);
  await operator.ok('user/enable', { userId: ownerId, isEnabled: false });
  expect((await server.client().call('share/link/open', { linkId })).code).toBe(1017);
  await operator.ok('user/enable', { userId: ownerId, isEnabled: true });
  owner = await server.signIn('owner', PASSWORD);
});

it('the local site has no code and cannot be deleted', async () => {
  for (const path of ['site/code', 'site/delete'] as const) {
    expect(await code(operator, path, { siteId: 'local' }), path).toBe(1007);
  }
});

it('[SE-15] 2FA that was never set up cannot be enabled', async () => {
  await prove(friend, PASSWORD);
  expect(await code(friend, 'account/twofactor/enable', { code: '123456' })).toBe(1007);
});

it('[SE-20] pushes a change of one account to that account alone', async () => {
  const listen = async (client: CallClient) => {
    const heard: string[] = [];
    const socket = server.webSocket('/ws');
    socket.on('message', (raw: Buffer) => heard.push(raw.toString('utf8')));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: client.accessToken })));
    await waitFor('the welcome', () => heard.length > 0);
    return { heard, socket };
  };
  const [ofOwner, ofFriend] = [await listen(owner), await listen(friend)];
  await owner.ok('group/add', { groupName: 'Roofs' });
  await waitFor('the owner to hear', () => ofOwner.heard.some((text) => text.includes('resourcesChanged')));
  ofFriend.socket.send('{"type":"ping"}');
  await waitFor('the pong', () => ofFriend.heard.some((text) => text.includes('pong')));
  expect(ofFriend.heard.filter((text) => text.includes('"event"'))).toEqual([]);
  for (const { socket } of [ofOwner, ofFriend]) socket.close();
});

describe('[FT-43] four parallel changes of one object', () => {
  /** The long run makes the 10,000 changes of the table of faults. */
  const ROUNDS = isLongRun ? 500 : 2;
  type Change = (version: number, name: string) => Promise<{ code: number }>;

  it('one succeeds, the others receive the newer version', { timeout: 600_000 }, async () => {
    const { groupId } = (await owner.ok('group/list', {})).groupList.at(-1) ?? { groupId: '' };
    const { roleId } = await owner.ok('role/add', { roleName: 'Raced', permissions: ['Realplay'] });
    const { layoutId } = (await owner.ok('layout/save', { name: 'Raced', split: 4, tiles: [] })).layout;
    const plan = await owner.ok('record/plan/get', { deviceSerial: camera, channelNo: 1 });
    const things: Record<string, { first: number; change: Change }> = {
      organization: {
        first: (await owner.ok('org/list', {})).orgList.find((one) => one.organizationId === hall)?.version ?? 0,
        change: (version, organizationName) =>
          owner.call('org/update', { organizationId: hall, organizationName, version }),
      },
      group: {
        first: (await owner.ok('group/list', {})).groupList.at(-1)?.version ?? 0,
        change: (version, groupName) => owner.call('group/update', { groupId, groupName, version }),
      },
      role: {
        first: 1,
        change: (version, roleName) =>
          owner.call('role/update', { roleId, roleName, version, permissions: ['Realplay'], resources: null }),
      },
      layout: {
        first: 1,
        change: (version, name) => owner.call('layout/save', { layoutId, name, version, split: 4, tiles: [] }),
      },
      plan: {
        first: plan.version,
        change: (version) =>
          owner.call('record/plan/set', { ...plan, deviceSerial: camera, channelNo: 1, preRoll: version % 5, version }),
      },
    };
    for (const [thing, { first, change }] of Object.entries(things)) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const names = [1, 2, 3, 4].map((at) => `${thing} ${round} ${at}`);
        const codes = (await Promise.all(names.map((name) => change(first + round, name)))).map(
          (answer) => answer.code,
        );
        expect(
          codes.toSorted((a, b) => a - b),
          `${thing} in round ${round}`,
        ).toEqual([200, 1010, 1010, 1010]);
      }
    }
  });
});

it('[SE-28] of three operators changing each other in parallel, one who lost the rank changes nobody', async () => {
  const others = [
    await account(operator, 'second', { userType: 0 }),
    await account(operator, 'third', { userType: 0 }),
  ];
  const operatorId = (await operator.ok('account/info', {})).userId;
  const all = [[operator, operatorId] as const, ...others];
  const demote = (userId: string) => ({ userId, version: 1, userType: 1 });
  const codes = await Promise.all(
    all.map(([client], at) => code(client, 'user/update', demote(all[(at + 1) % 3]?.[1] ?? ''))),
  );
  // Each would take the next one's rank: whoever lost it first takes nobody's, nor sees an operator below (1007) when it asks after that.
  expect(codes.filter((one) => [1001, 1004, 1007].includes(one)).length, codes.join(' ')).toBeGreaterThan(0);
  const rows = await runSql(server, 'select count(*)::int as left from account where user_type = 0 and is_enabled');
  expect(rows[0]?.['left']).toBe(3 - codes.filter((one) => one === 200).length);
  expect(Number(rows[0]?.['left'])).toBeGreaterThan(0);
});
