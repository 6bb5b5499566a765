// Organisations, groups, roles, sub-accounts and the audit log over the real server: refusals and immediate effects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallPath } from '@vedette/contract/calls/calls.ts';
import pg from 'pg';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, OPERATOR, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let ownerId: string;
let camera: string;
let hall: string;
let yard: string;
const PASSWORD = 'Secret-1';

async function makeAccount(maker: CallClient, username: string, more: object = {}): Promise<[CallClient, string]> {
  const { userId } = await maker.ok('user/add', { username, password: PASSWORD, ...more });
  return [await server.signIn(username, PASSWORD), userId];
}
const userOf = async (client: CallClient, userId: string) => {
  const { userList } = await client.ok('user/list', {});
  const found = userList.find((user) => user.userId === userId);
  if (found === undefined) throw new Error(`no account ${userId}`);
  return found;
};
const addOrg = async (organizationName: string, parentOrgId = '0') =>
  (await owner.ok('org/add', { organizationName, parentOrgId })).organizationId;
const code = async (client: CallClient, path: CallPath, input: object) => (await client.raw(path, input)).code;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  [owner, ownerId] = await makeAccount(operator, 'owner', { userType: 2 });
  hall = await addOrg('Hall');
  yard = await addOrg('Yard', hall);
  const order = { target: 'rtsp://192.0.2.10/1', deviceName: 'Door', organizationId: yard };
  camera = (await owner.ok('device/add', order)).device.deviceSerial;
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

describe('[DM-03] organisations', () => {
  it('[FT-43] [EN-12] renames the version that was read; a stale one is refused with the newer', async () => {
    const [{ version } = { version: 0 }] = (await owner.ok('org/list', {})).orgList;
    const seen = { organizationId: hall, organizationName: 'Great hall', version };
    const { organization } = await owner.ok('org/update', seen);
    expect(organization).toMatchObject({
      organizationName: 'Great hall',
      parentOrgId: '0',
      isShared: 0,
      owner: 'owner',
    });
    const stale = await owner.call('org/update', { ...seen, organizationName: 'Small hall' });
    expect(stale).toMatchObject({ code: 1010, data: { organizationName: 'Great hall', version: version + 1 } });
  });

  it('[FT-44] move with their content, never below themselves', async () => {
    const wing = await addOrg('Wing');
    await owner.ok('org/move', { organizationId: hall, parentOrgId: wing });
    const { resourceList } = await owner.ok('org/resource/sub', { organizationId: wing });
    expect(resourceList.map((row) => row.resourceType)).toEqual(['organization', 'organization', 'device']);
    expect(await code(owner, 'org/move', { organizationId: wing, parentOrgId: yard })).toBe(1003);
    expect(await code(owner, 'org/move', { organizationId: wing, parentOrgId: wing })).toBe(1003);
    await owner.ok('org/move', { organizationId: hall, parentOrgId: '0' });
    expect(await code(operator, 'org/move', { organizationId: hall, parentOrgId: '0' })).toBe(1007);
    expect(await owner.ok('org/delete', { organizationId: wing })).toEqual({ organizationTotal: 0, deviceTotal: 0 });
  });

  it('keep the order that was set', async () => {
    const east = await addOrg('East', hall);
    const west = await addOrg('West', hall);
    const north = await addOrg('North', hall);
    await owner.ok('org/order', { parentOrgId: hall, organizationIdList: [west, east] });
    const { orgList } = await owner.ok('org/list', { organizationId: hall });
    const places = new Map(orgList.map((one) => [one.organizationId, one.position]));
    expect([west, east, north].map((id) => places.get(id))).toEqual([1, 2, null]);
    expect(await code(operator, 'org/order', { parentOrgId: hall, organizationIdList: [] })).toBe(1007);
    for (const organizationId of [east, west, north]) await owner.ok('org/delete', { organizationId });
  });

  it('keep their order at the root while another owner reorders its own', async () => {
    const annex = await addOrg('Annex');
    await owner.ok('org/order', { parentOrgId: '0', organizationIdList: [annex, hall] });
    await operator.ok('org/order', { parentOrgId: '0', organizationIdList: [] });
    const { orgList } = await owner.ok('org/list', { organizationId: '0' });
    const places = new Map(orgList.map((one) => [one.organizationId, one.position]));
    expect([annex, hall].map((id) => places.get(id))).toEqual([1, 2]);
    await owner.ok('org/delete', { organizationId: annex });
  });

  it('[FT-44] deleting asks where the content goes, and leaves no orphan', async () => {
    const shed = await addOrg('Shed', yard);
    const refused = await owner.call('org/delete', { organizationId: yard });
    expect(refused).toMatchObject({
      code: 1030,
      message: 'organizationNotEmpty',
      data: { organizationTotal: 1, deviceTotal: 1 },
    });
    expect(await code(owner, 'org/delete', { organizationId: yard, moveTo: shed })).toBe(1003);
    await owner.ok('org/delete', { organizationId: yard, moveTo: hall });
    expect((await owner.ok('org/list', { organizationId: hall })).orgList).toMatchObject([{ organizationId: shed }]);
    expect((await owner.ok('device/get', { deviceSerial: camera })).device.organizationId).toBe(hall);
    expect(await code(owner, 'org/list', { organizationId: yard })).toBe(1007);
    yard = shed;
    await owner.ok('device/move', { deviceSerial: camera, organizationId: yard });
  });
});

describe('[DM-04] groups', () => {
  it('[EN-03] the default group holds devices of no other group, and is never renamed or deleted', async () => {
    const [first] = (await owner.ok('group/list', {})).groupList;
    expect(first).toMatchObject({ groupId: '0', groupName: '', isDefault: true, deviceTotal: 1 });
    expect(await code(owner, 'group/update', { groupId: '0', groupName: 'Mine', version: 1 })).toBe(1004);
    expect(await code(owner, 'group/delete', { groupId: '0' })).toBe(1004);
  });

  it('are added, renamed, filled, searched and deleted', async () => {
    const { groupId } = await owner.ok('group/add', { groupName: 'Entrances' });
    expect(await code(owner, 'group/add', { groupName: 'entrances ' })).toBe(1016);
    await owner.ok('group/device/set', { groupId, deviceSerialList: [camera] });
    const { group } = await owner.ok('group/update', { groupId, groupName: 'Doors', version: 1 });
    expect(group).toEqual({ groupId, groupName: 'Doors', isDefault: false, deviceTotal: 1, version: 2 });
    expect(await code(owner, 'group/update', { groupId, groupName: 'Late', version: 1 })).toBe(1010);
    expect((await owner.ok('device/list', { groupId })).total).toBe(1);
    expect((await owner.ok('device/list', { groupId: '0' })).total).toBe(0);
    expect((await owner.ok('group/list', { groupName: 'oor' })).groupList).toHaveLength(1);
    expect((await operator.ok('group/list', { groupName: 'oor' })).total).toBe(0);
    expect(await code(operator, 'group/device/set', { groupId, deviceSerialList: [camera] })).toBe(1007);
    await owner.ok('group/delete', { groupId });
    expect((await owner.ok('device/list', { groupId: '0' })).total).toBe(1);
  });
});

describe('[PM-06] roles', () => {
  it('[PM-02] say what, and where the account is assigned; a change reaches a running session within 2 s', async () => {
    const { roleId } = await owner.ok('role/add', { roleName: 'Guards', permissions: ['Realplay'] });
    const [guard, guardId] = await makeAccount(owner, 'guard', { roleIds: [roleId], organizationIds: [hall] });
    expect((await guard.ok('permission/list', {})).permissionList).toEqual(['Realplay']);
    const live = { deviceSerial: camera, channelNo: 1 };
    await guard.ok('media/url', live);
    expect(await code(guard, 'record/calendar', { ...live, year: 2026, month: 1, srcType: 0 })).toBe(1004);
    const heard: string[] = [];
    const socket = server.webSocket('/ws');
    socket.on('message', (raw: Buffer) => heard.push(raw.toString('utf8')));
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', accessToken: guard.accessToken })));
    await waitFor('the welcome', () => heard.length > 0);
    const role = { roleId, roleName: 'Guards', version: 1 };
    await owner.ok('role/update', { ...role, permissions: ['Replay', 'DeviceManage'] });
    await waitFor('the running picture to end', () => site.ticketsOf(guardId).length === 0, 2000);
    expect(site.revoked.at(-1)?.code).toBe(1004);
    await waitFor('word on the socket', () => heard.some((text) => text.includes('rightsChanged')), 2000);
    expect(await code(guard, 'media/url', live)).toBe(1004);
    expect((await guard.ok('permission/list', {})).flags).toMatchObject({ DeviceManage: true, Realplay: false });
    const stale = await owner.call('role/update', { ...role, permissions: [] });
    expect(stale).toMatchObject({ code: 1010, data: { permissions: ['Replay', 'DeviceManage'], version: 2 } });
    socket.close();
    await owner.ok('role/delete', { roleId });
    expect((await userOf(owner, guardId)).roleIds).toEqual([]);
  });

  it('apply to resources of their own, and grant nothing once those are deleted', async () => {
    const attic = await addOrg('Attic');
    const resources = [{ organizationId: attic }];
    const { roleId } = await owner.ok('role/add', { roleName: 'Attic', permissions: ['Realplay'], resources });
    const [keeper] = await makeAccount(owner, 'keeper', { roleIds: [roleId], organizationIds: [hall] });
    expect((await keeper.ok('org/list', {})).orgList).toMatchObject([{ organizationId: attic }]);
    expect((await keeper.ok('device/list', {})).total).toBe(0);
    await owner.ok('org/delete', { organizationId: attic });
    expect((await keeper.ok('org/list', {})).total).toBe(0);
    const [role] = (await owner.ok('role/list', {})).roleList;
    expect(role).toMatchObject({ roleName: 'Attic', resources: [], userTotal: 1 });
    expect(await code(owner, 'role/add', { roleName: 'Attic', permissions: [], resources })).toBe(1007);
  });

  it('"view as" shows what a sub-account sees, for own sub-accounts only', async () => {
    const [, clerkId] = await makeAccount(owner, 'clerk', { organizationIds: [hall] });
    const view = await owner.ok('user/view', { userId: clerkId });
    expect(view.permissionList).toEqual(['Realplay', 'Replay', 'Export']);
    expect(view.resourceList.map((row) => row.resourceType)).toEqual(['organization', 'organization', 'device']);
    expect(await code(operator, 'user/view', { userId: clerkId })).toBe(1007);
    expect(await code(owner, 'user/view', { userId: ownerId })).toBe(1007);
  });

  it('a new password ends the sessions of the account, a rename does not', async () => {
    const [temp, tempId] = await makeAccount(owner, 'temp');
    const { user } = await owner.ok('user/update', { userId: tempId, version: 1, username: 'temp2' });
    expect(user).toMatchObject({ userName: 'temp2', version: 2, userType: 5 });
    expect((await temp.ok('account/info', {})).userName).toBe('temp2');
    expect(await code(owner, 'user/update', { userId: tempId, version: 1, username: 'temp3' })).toBe(1010);
    expect(await code(owner, 'user/update', { userId: tempId, version: 2, username: 'guard' })).toBe(1016);
    await owner.ok('user/update', { userId: tempId, version: 2, password: 'Secret-2' });
    expect(await code(temp, 'account/info', {})).toBe(1001);
    expect((await server.signIn('temp2', 'Secret-2')).accessToken).not.toBeNull();
  });
});

describe('[SE-28] privilege escalation', () => {
  it('a sub-account creates no accounts or roles and does not change its own, whatever its role says', async () => {
    const all = ['DeviceManage', 'OrganizationManage', 'Realplay', 'Config'] as const;
    const { roleId } = await owner.ok('role/add', { roleName: 'Managers', permissions: [...all] });
    const [deputy, deputyId] = await makeAccount(owner, 'deputy', { roleIds: [roleId], organizationIds: [yard] });
    const tries: [CallPath, object, number][] = [
      ['role/update', { roleId, roleName: 'Kings', permissions: [...all], version: 1 }, 1004],
      ['role/add', { roleName: 'Kings', permissions: [...all] }, 1004],
      ['user/update', { userId: deputyId, version: 1, userType: 0 }, 1004],
      ['user/update', { userId: ownerId, version: 1, password: 'Secret-9' }, 1004],
      ['user/add', { username: 'puppet', password: PASSWORD }, 1004],
      ['share/add', { account: 'deputy', items: [{ deviceSerial: camera }], permission: ['talk'] }, 1004],
      ['org/update', { organizationId: hall, organizationName: 'Mine', version: 1 }, 1007],
      ['org/add', { organizationName: 'Mine', parentOrgId: hall }, 1007],
      ['org/move', { organizationId: yard, parentOrgId: '0' }, 1004],
      ['org/move', { organizationId: hall, parentOrgId: yard }, 1007],
      ['device/move', { deviceSerial: camera, organizationId: hall }, 1007],
    ];
    for (const [path, input, expected] of tries) {
      expect(await code(deputy, path, input), `${path} ${JSON.stringify(input)}`).toBe(expected);
    }
    expect(await code(deputy, 'org/add', { organizationName: 'Below', parentOrgId: yard })).toBe(200);
  });

  it('[SE-26] an owner grants neither foreign resources nor its own or a higher rank', async () => {
    const foreign = (await operator.ok('org/add', { organizationName: 'Vault' })).organizationId;
    const role = (await operator.ok('role/add', { roleName: 'Vault', permissions: [] })).roleId;
    const order = { username: 'spy', password: PASSWORD };
    expect(await code(owner, 'user/add', { ...order, organizationIds: [foreign] })).toBe(1007);
    expect(await code(owner, 'user/add', { ...order, roleIds: [role] })).toBe(1007);
    expect(await code(owner, 'user/add', { ...order, userType: 2 })).toBe(1004);
    const { userId } = await owner.ok('user/add', order);
    expect(await code(owner, 'user/update', { userId, version: 1, userType: 1 })).toBe(1004);
    expect(await code(owner, 'user/update', { userId, version: 1, roleIds: [role] })).toBe(1007);
    expect(await code(operator, 'user/update', { userId, version: 1, roleIds: [role] })).toBe(1004);
    expect(await code(operator, 'user/update', { userId, version: 1, userType: 0 })).toBe(1003);
    expect(await code(owner, 'user/update', { userId: ownerId, version: 1, userType: 0 })).toBe(1007);
    expect(await code(owner, 'user/update', { userId, version: 1, owner: 'me' })).toBe(1003);
  });

  it('of two operators removing each other in parallel, one remains', async () => {
    const [second, secondId] = await makeAccount(operator, 'second', { userType: 0 });
    const operatorId = (await operator.ok('account/info', {})).userId;
    const demote = (userId: string) => ({ userId, version: 1, userType: 1 });
    const codes = await Promise.all([
      code(operator, 'user/update', demote(secondId)),
      code(second, 'user/update', demote(operatorId)),
    ]);
    expect(codes.toSorted((one, other) => one - other)).toEqual([200, 1004]);
    const winner = codes[0] === 200 ? operator : second;
    const loser = codes[0] === 200 ? secondId : operatorId;
    await winner.ok('user/update', { userId: loser, version: 2, userType: 0 });
    const again = await Promise.all([
      code(operator, 'user/delete', { userId: secondId }),
      code(second, 'user/enable', { userId: operatorId, isEnabled: false }),
    ]);
    expect(again.filter((one) => one === 200)).toHaveLength(1);
    if (again[0] === 200) return;
    await second.ok('user/enable', { userId: operatorId, isEnabled: true });
    operator = await server.signIn(OPERATOR.username, OPERATOR.password);
  });
});

describe('the audit log', () => {
  const query = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: server.database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  const lines = async (client: CallClient, filter: object = {}) =>
    (await client.ok('audit/list', { ...filter, pageSize: 1000 })).auditList;

  it("[SE-102] every media session is in the log of the camera's owner, whoever viewed", async () => {
    const live = { deviceSerial: camera, channelNo: 1 };
    const [guest] = await makeAccount(operator, 'watcher', { userType: 2 });
    await owner.ok('share/add', { account: 'watcher', items: [live], permission: ['videoView', 'videotapeView'] });
    const watched = { kind: 'watch', userName: 'watcher', isRefused: false };
    for (let count = 0; count < 3; count += 1) await guest.ok('media/url', live);
    const found = await lines(owner, watched);
    expect(found.map((line) => [line.call, line.object])).toEqual(
      Array.from({ length: 3 }, () => ['media/url', `deviceSerial=${camera} channelNo=1`]),
    );
    expect((await lines(guest, watched)).map((line) => line.entryId)).toEqual(found.map((line) => line.entryId));
    expect(await lines(operator, { userName: 'watcher', kind: 'watch' })).toEqual([]);
    expect(await lines(owner, { deviceSerial: 'NONE' })).toEqual([]);
    const tickets = await query('select distinct ticket_id from media_ticket where account_id = $1', [
      (await guest.ok('account/info', {})).userId,
    ]);
    expect(tickets.length).toBeGreaterThanOrEqual(found.length);
  });

  it('records refusals, and is readable by the owner alone', async () => {
    const [clerk] = await makeAccount(owner, 'reader');
    expect(await code(clerk, 'audit/list', {})).toBe(1004);
    expect(await code(clerk, 'role/add', { roleName: 'X', permissions: [] })).toBe(1004);
    const [line] = await lines(owner, { isRefused: true, userName: 'reader' });
    expect(line).toMatchObject({ userName: 'reader', call: 'role/add', kind: 'write', code: 1004 });
    const { csv, name, isCut } = await owner.ok('audit/export', { userName: 'reader' });
    expect([csv.startsWith('\uFEFFno,'), isCut]).toEqual([true, false]);
    expect(name).toMatch(/^audit-\d{4}-\d{2}-\d{2}\.csv$/);
    expect(csv.trim().split('\r\n')).toHaveLength(1 + (await lines(owner, { userName: 'reader' })).length);
    expect(await code(owner, 'audit/verify', {})).toBe(1004);
  });

  it('[SE-101] is a hash chain: changed, removed and inserted entries are found', async () => {
    const whole = await operator.ok('audit/verify', {});
    expect(whole).toMatchObject({ isWhole: true, brokenAt: null });
    await Promise.all(
      Array.from({ length: 12 }, (_, at) => operator.call('org/add', { organizationName: `At once ${at}` })),
    );
    expect((await operator.ok('audit/verify', {})).isWhole).toBe(true);
    await expect(query('update audit_log set code = 200')).rejects.toThrow('append-only');
    await expect(query('update audit_chain set entry_no = 1')).rejects.toThrow('append-only');
    for (const table of ['audit_log', 'audit_chain'])
      await query(`alter table ${table} disable trigger ${table}_append_only`);
    await waitFor('twelve entries to be chained', async () => (await query('select from audit_tail')).length === 0);
    const fifth = '(select seq from audit_chain where entry_no = 5)';
    const tamperings: [string, string][] = [
      [
        `update audit_log set object = 'x' where seq = ${fifth}`,
        `update audit_log set object = $1 where seq = ${fifth}`,
      ],
      [
        'update audit_chain set entry_no = -7 where entry_no = 7',
        'update audit_chain set entry_no = $1 where entry_no = -7',
      ],
    ];
    const [before] = await query(`select object from audit_log where seq = ${fifth}`);
    for (const [tamper, mend] of tamperings) {
      await query(tamper);
      const { isWhole, brokenAt } = await operator.ok('audit/verify', {});
      expect([isWhole, brokenAt]).toEqual([false, tamper.includes('object') ? 5 : 8]);
      await query(mend, [tamper.includes('object') ? (before?.['object'] ?? null) : 7]);
      expect((await operator.ok('audit/verify', {})).isWhole).toBe(true);
    }
    for (const table of ['audit_log', 'audit_chain'])
      await query(`alter table ${table} enable trigger ${table}_append_only`);
  });
});
