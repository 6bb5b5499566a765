// Audit log entries of changes: what was changed by its name at that time, before and after, never a secret, never what is another's.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let owner: CallClient;
let other: CallClient;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  for (const username of ['wang', 'otto']) {
    await operator.ok('user/add', { username, password: 'Secret-1', userType: 2 });
  }
  owner = await server.signIn('wang', 'Secret-1');
  other = await server.signIn('otto', 'Secret-1');
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function newest(client: CallClient, filter: object = {}) {
  const { auditList } = await client.ok('audit/list', { pageSize: 1, ...filter });
  return auditList[0];
}

it('names the account, and shows the values before and after without the password', async () => {
  const { userId } = await owner.ok('user/add', { username: 'clerk', password: 'Hidden-77' });
  expect(await newest(owner)).toMatchObject({
    call: 'user/add',
    object: `userId=${userId}`,
    detail: { subject: { kind: 'account', name: 'clerk' } },
  });
  const { roleId } = await owner.ok('role/add', { roleName: 'Night', permissions: ['Realplay'] });
  const change = { username: 'warden', password: 'Hidden-88', roleIds: [roleId] };
  await owner.ok('user/update', { userId, version: 1, ...change });
  const line = await newest(owner);
  expect(line?.detail?.subject).toEqual({ kind: 'account', name: 'clerk' });
  expect(line?.detail?.changeList).toEqual([
    { field: 'userName', before: 'clerk', after: 'warden' },
    { field: 'roles', before: '', after: 'Night' },
    { field: 'password', before: null, after: null },
  ]);
  await owner.ok('user/delete', { userId });
  expect((await newest(owner))?.detail).toMatchObject({ subject: { name: 'warden' } });
  const { csv } = await owner.ok('audit/export', {});
  expect(csv).toContain('userName: clerk -> warden');
  expect(csv).not.toContain('Hidden');
});

it('shows the rights that a role gained', async () => {
  const { roleId } = await owner.ok('role/add', { roleName: 'Guard', permissions: ['Realplay'] });
  const permissions = ['Realplay' as const, 'Replay' as const];
  await owner.ok('role/update', { roleId, version: 1, roleName: 'Guard', permissions, resources: null });
  expect((await newest(owner))?.detail?.changeList).toEqual([
    { field: 'permissions', before: 'Realplay', after: 'Realplay, Replay' },
  ]);
});

it('names devices that are added, renamed and removed', async () => {
  const order = { target: 'rtsp://192.0.2.91/1', deviceName: 'Gate' };
  const { deviceSerial, version } = (await owner.ok('device/add', order)).device;
  const item = { deviceSerial, name: 'Gate' };
  expect((await newest(owner))?.detail?.itemList).toEqual([item]);
  await owner.ok('device/update', { deviceSerial, version, deviceName: 'Yard' });
  expect((await newest(owner))?.detail).toEqual({
    itemList: [item],
    changeList: [{ field: 'name', before: 'Gate', after: 'Yard' }],
  });
  await owner.ok('device/delete', { deviceSerial });
  expect((await newest(owner, { deviceSerial }))?.detail?.itemList).toEqual([{ deviceSerial, name: 'Yard' }]);
});

it('tells the settings of the installation field by field', async () => {
  const { config, version } = await operator.ok('system/config/get', {});
  const storage = { ...config.storage, retentionDays: 12 };
  await operator.ok('system/config/set', { config: { ...config, storage }, version });
  expect((await newest(operator))?.detail?.changeList).toEqual([
    { field: 'storage.retentionDays', before: String(config.storage.retentionDays), after: '12' },
  ]);
});

it('marks a file of devices that was only checked as a preview', async () => {
  await owner.ok('device/import', { csv: 'name,address\nGate,192.0.2.92\n', mode: 'dryRun' });
  expect(await newest(owner)).toMatchObject({ call: 'device/import', detail: { isPreview: true } });
});

it('says nothing of an object of another account that the call was refused', async () => {
  const { roleId } = await owner.ok('role/add', { roleName: 'Secret role', permissions: [] });
  const change = { roleId, roleName: 'Mine', permissions: [], resources: null };
  expect((await other.call('role/update', { ...change, version: 1 })).code).toBe(1007);
  const line = await newest(other);
  expect(line).toMatchObject({ call: 'role/update', code: 1007, detail: null });
  // The owner's own refused change still names it.
  expect((await owner.call('role/update', { ...change, version: 9 })).code).toBe(1010);
  expect((await newest(owner))?.detail).toEqual({ itemList: [], subject: { kind: 'role', name: 'Secret role' } });
});
