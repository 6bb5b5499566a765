// Saved layouts of the live wall over the real server: private and shared, stale edits, and tiles that an account may not view.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let guard: CallClient;
let neighbour: CallClient;
let gate: string;
let vault: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const { organizationId } = await operator.ok('org/add', { organizationName: 'Yard' });
  const add = async (host: string, place: string) =>
    (await operator.ok('device/add', { target: `rtsp://${host}/1`, deviceName: host, organizationId: place })).device
      .deviceSerial;
  gate = await add('192.0.2.1', organizationId);
  vault = await add('192.0.2.2', '0');
  await operator.ok('user/add', {
    username: 'guard',
    password: 'Secret-1',
    userType: 5,
    organizationIds: [organizationId],
  });
  await operator.ok('user/add', { username: 'neighbour', password: 'Secret-1', userType: 2 });
  guard = await server.signIn('guard', 'Secret-1');
  neighbour = await server.signIn('neighbour', 'Secret-1');
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const tile = (position: number, deviceSerial: string) => ({ position, deviceSerial, channelNo: 1 });
const namesOf = async (client: CallClient) => (await client.ok('layout/list', {})).layoutList.map(({ name }) => name);

describe('saved layouts', () => {
  it('are stored as given and sorted by name', async () => {
    const tiles = [tile(5, vault), tile(0, gate)];
    const { layout } = await operator.ok('layout/save', { name: ' Night watch 夜间 ', split: 6, tiles });
    expect(layout).toMatchObject({ name: 'Night watch 夜间', split: 6, shared: false, isEditable: true, version: 1 });
    expect(layout.tiles).toEqual([tile(0, gate), tile(5, vault)]);
    await operator.ok('layout/save', { name: 'Day', split: 1, tiles: [] });
    expect(await namesOf(operator)).toEqual(['Day', 'Night watch 夜间']);
    expect(await operator.ok('layout/list', { pageStart: 1, pageSize: 1 })).toMatchObject({
      total: 2,
      layoutList: [{ name: 'Night watch 夜间' }],
    });
    expect(await namesOf(guard)).toEqual([]);
  });

  it('a name is unique per account, ignoring case; positions and channels are distinct', async () => {
    const taken = await operator.call('layout/save', { name: 'DAY', split: 4, tiles: [] });
    expect(taken).toMatchObject({ code: 1016, data: { name: 'notAllowed' } });
    const bad = [[tile(4, gate)], [tile(0, gate), tile(0, vault)], [tile(0, gate), tile(1, gate)]];
    for (const tiles of bad) {
      const answer = await operator.call('layout/save', { name: 'Bad', split: 4, tiles });
      expect(answer, JSON.stringify(tiles)).toMatchObject({ code: 1003 });
      expect(answer.data).toHaveProperty('tiles');
    }
    const unversioned = { layoutId: 'any', name: 'x', split: 4 as const, tiles: [] };
    expect((await operator.call('layout/save', unversioned)).data).toHaveProperty('version');
  });

  it('[SE-20] a shared layout hides channels from accounts that may not view them, and keeps them on save', async () => {
    const { layout } = await operator.ok('layout/save', {
      name: 'All doors',
      split: 4,
      tiles: [tile(0, vault), tile(1, gate)],
      shared: true,
    });
    const [seen] = (await guard.ok('layout/list', {})).layoutList;
    expect(seen).toMatchObject({ name: 'All doors', creator: 'operator', isEditable: false, hiddenTotal: 1 });
    expect(seen?.tiles).toEqual([tile(1, gate)]);
    expect(JSON.stringify(seen)).not.toContain(vault);
    expect(await namesOf(neighbour)).toEqual([]);

    const { layoutId, version } = layout;
    const change = { layoutId, version, name: 'Mine now', split: 4 as const, tiles: [] };
    expect((await guard.call('layout/save', change)).code).toBe(1004);
    expect((await guard.call('layout/delete', { layoutId })).code).toBe(1004);
    expect((await neighbour.call('layout/save', change)).code).toBe(1007);
    expect((await neighbour.call('layout/delete', { layoutId })).code).toBe(1007);
    const foreign = { name: 'Peep', split: 1 as const, tiles: [tile(0, vault)] };
    expect((await guard.call('layout/save', foreign)).code).toBe(1009);
    expect((await guard.call('layout/save', { ...foreign, tiles: [tile(0, 'MISSING')] })).code).toBe(1009);
  });

  it('an owner edits the shared layout of a sub-account, and keeps tiles the editor cannot see', async () => {
    const items = [{ deviceSerial: vault, channelNo: 1 }];
    const share = await operator.ok('share/add', { account: 'guard', items, permission: ['videoView'] });
    const tiles = [tile(2, vault), tile(0, gate)];
    const { layout } = await guard.ok('layout/save', { name: 'Round', split: 4, tiles, shared: true });
    expect(layout.hiddenTotal).toBe(0);
    await operator.ok('share/delete', { shareId: share.shareId, shareType: 2 });
    const { layoutId, version } = layout;
    const own = await guard.ok('layout/save', { layoutId, version, name: 'Round', split: 4, tiles: [], shared: true });
    expect(own.layout).toMatchObject({ tiles: [], hiddenTotal: 1, version: 2 });
    const byOwner = await operator.ok('layout/list', {});
    const round = byOwner.layoutList.find((one) => one.layoutId === layoutId);
    expect(round).toMatchObject({ tiles: [tile(2, vault)], isEditable: true, creator: 'guard' });
    await operator.ok('layout/delete', { layoutId });
    expect((await guard.call('layout/delete', { layoutId })).code).toBe(1007);
  });

  it('refuses a stale edit and returns the newer layout', async () => {
    const first = (await operator.ok('layout/save', { name: 'Doors', split: 4, tiles: [] })).layout;
    const edit = { layoutId: first.layoutId, version: first.version, split: 4 as const, tiles: [tile(3, gate)] };
    const renamed = await operator.ok('layout/save', { ...edit, name: 'Front doors' });
    expect(renamed.layout.version).toBe(first.version + 1);
    const stale = await operator.call('layout/save', { ...edit, name: 'Back doors' });
    expect(stale).toMatchObject({ code: 1010, data: { name: 'Front doors', version: first.version + 1 } });
    await operator.ok('layout/delete', { layoutId: first.layoutId });
    expect((await operator.call('layout/save', { ...edit, name: 'Back doors' })).code).toBe(1007);
  });
});
