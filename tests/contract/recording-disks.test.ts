// Several recording disks by calls: what the settings take and refuse, what a site is told, and an alarm and health row for exactly the disk that fails.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DiskHealth } from '@vedette/contract/site/site-disks.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

const GB = 1e9;

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const disk = (folder: string, isEmptying = false) => ({ folder, budgetBytes: 2 * GB, isEmptying });

async function set(storage: object) {
  const { config, version } = await operator.ok('system/config/get', {});
  return await operator.call('system/config/set', {
    config: { ...config, storage: { ...config.storage, ...storage } },
    version,
  });
}

const stored = async () => (await operator.ok('system/config/get', {})).config.storage;

it('takes further disks, tells the site, and keeps them where a change does not name them', async () => {
  expect(await stored()).toMatchObject({ isEmptying: false, moreDisks: [] });
  expect((await set({ moreDisks: [disk('/mnt/two'), disk('/mnt/three', true)] })).code).toBe(200);
  expect(site.settings?.storage.moreDisks).toEqual([disk('/mnt/two'), disk('/mnt/three', true)]);
  const { config, version } = await operator.ok('system/config/get', {});
  const { folder, budgetBytes, reserveBytes } = config.storage;
  await operator.ok('system/config/set', {
    config: { ...config, storage: { folder, budgetBytes, reserveBytes, retentionDays: 11 } },
    version,
  });
  expect(await stored()).toMatchObject({ retentionDays: 11, moreDisks: [disk('/mnt/two'), disk('/mnt/three', true)] });
  expect((await set({ isEmptying: true })).code).toBe(200);
  expect(site.settings?.storage.isEmptying).toBe(true);
});

it.each([
  ['a relative folder', [disk('two')], 'config.storage.moreDisks.0.folder', 'format'],
  ['one folder twice', [disk('/mnt/two'), disk('/mnt/two/')], 'config.storage.moreDisks.1.folder', 'notAllowed'],
  [
    'a folder below another',
    [disk('/mnt/two'), disk('/mnt/two/deep')],
    'config.storage.moreDisks.1.folder',
    'notAllowed',
  ],
])('refuses %s at its field', async (_, moreDisks, field, problem) => {
  const before = await stored();
  expect(await set({ moreDisks })).toMatchObject({ code: 1003, data: { [field]: problem } });
  expect(await stored()).toEqual(before);
});

it('tells which disk the site cannot write to, and changes nothing', async () => {
  const before = await stored();
  site.refusals.set('settings', { code: 1003, data: { 'moreDisks.1.folder': 'readOnly' } });
  const refused = await set({ moreDisks: [disk('/mnt/two'), disk('/mnt/four')] });
  site.refusals.clear();
  expect(refused).toMatchObject({ code: 1003, data: { 'config.storage.moreDisks.1.folder': 'readOnly' } });
  expect(await stored()).toEqual(before);
});

it('has an alarm and a health row for exactly the disk that is away, and ends the alarm of one that was removed', async () => {
  const health = (folder: string, part: Partial<DiskHealth> = {}): DiskHealth => ({
    folder,
    usedBytes: GB,
    freeBytes: GB,
    budgetBytes: 2 * GB,
    state: 'normal',
    reason: null,
    oldestAt: 1,
    newestAt: 2,
    emptying: null,
    ...part,
  });
  const away = health('/mnt/two', { state: 'missing', reason: 'absent' });
  site.storage = { disks: [health('/mnt/one'), away, health('/mnt/three')] };
  const alarms = async () => (await operator.ok('alarm/list', { types: ['NoDisk'] })).alarmList;
  await waitFor('the alarm', async () => (await alarms()).length > 0, 30_000);
  expect(await alarms()).toMatchObject([{ endTime: null, data: { folder: '/mnt/two', reason: 'absent' } }]);
  const rows = (await operator.ok('system/health/get', {})).partList.filter(({ part }) => part === 'storage');
  expect(rows.map(({ name, state }) => [name, state])).toEqual([
    ['/mnt/one', 'good'],
    ['/mnt/two', 'bad'],
    ['/mnt/three', 'good'],
  ]);
  const { storage } = await operator.ok('system/health', {});
  expect(storage?.diskList.map(({ folder, state }) => [folder, state])).toContainEqual(['/mnt/two', 'missing']);
  site.storage = { disks: [health('/mnt/one'), health('/mnt/three')] };
  await waitFor('its end', async () => (await alarms()).every(({ endTime }) => endTime !== null), 30_000);
}, 90_000);
