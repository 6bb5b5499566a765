// Health and versions by calls: real measures of this server, a scripted site, and what happens when it goes; for operators alone.
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HealthPart } from '@vedette/contract/calls/system-health.ts';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  await operator.ok('device/add', { target: 'rtsp://192.0.2.10/1', deviceName: 'Door' });
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

async function entryOf(part: HealthPart) {
  const { partList } = await operator.ok('system/health/get', {});
  const found = partList.find((one) => one.part === part);
  if (found === undefined) throw new Error(`nothing is said of ${part}`);
  return found;
}

const valueOf = ({ figureList }: Awaited<ReturnType<typeof entryOf>>, figure: string): number | null =>
  figureList.find((one) => one.figure === figure)?.value ?? null;

describe('health', () => {
  it('measures the server and its database', async () => {
    await waitFor(
      'a share of the processor',
      async () => valueOf(await entryOf('server'), 'cpuShare') !== null,
      30_000,
    );
    const own = await entryOf('server');
    expect(valueOf(own, 'residentBytes')).toBeGreaterThan(20_000_000);
    expect(valueOf(own, 'loopDelayMs')).toBeGreaterThanOrEqual(0);
    expect(valueOf(own, 'upSince')).toBeLessThan(Date.now());
    const database = await entryOf('database');
    expect(database.state).not.toBe('bad');
    expect(valueOf(database, 'latencyMs')).toBeGreaterThan(0);
    expect(valueOf(database, 'connections')).toBeGreaterThan(0);
    expect(valueOf(database, 'databaseBytes')).toBeGreaterThan(1_000_000);
    expect(valueOf(await entryOf('machine'), 'memoryBytes')).toBeGreaterThan(100_000_000);
    expect(valueOf(await entryOf('dataDisk'), 'freeBytes')).toBeGreaterThan(0);
    const { series } = own.figureList.find(({ figure }) => figure === 'residentBytes') ?? { series: [] };
    expect(series.length).toBeGreaterThan(1);
  });

  it('takes a backup on request only where the installation has a folder for it', async () => {
    expect((await operator.call('system/backup/start', {})).code).toBe(1006);
    const state = { everyMs: 86_400_000, good: null, failed: null, check: { at: 1, failure: 'no room' } };
    const file = join(server.dataFolder, 'backup.json');
    await writeFile(file, JSON.stringify(state));
    await operator.ok('system/backup/start', {});
    expect(await readdir(server.dataFolder)).toContain('backup.request');
    expect(await entryOf('backup')).toMatchObject({ state: 'bad', reason: 'backupOld' });
    await writeFile(file, JSON.stringify({ ...state, good: { at: Date.now(), bytes: 7 } }));
    expect(await entryOf('backup')).toMatchObject({ state: 'bad', reason: 'backupCheckFailed' });
    await rm(file);
  });

  it('says what is not in use, instead of calling it good', async () => {
    expect(await entryOf('mail')).toMatchObject({ state: 'off', reason: 'mailOff' });
    expect(await entryOf('messages')).toMatchObject({ state: 'off', reason: 'messagesNone' });
    expect(await entryOf('certificate')).toMatchObject({ state: 'off', reason: 'certificateNone' });
    expect(await entryOf('gateway')).toMatchObject({ state: 'off', reason: 'notMeasured' });
    expect(await entryOf('deviceClocks')).toMatchObject({ state: 'good', reason: null });
  });

  it('follows the storage of a site, and the site itself when it goes', async () => {
    await waitFor('the storage', async () =>
      (await operator.ok('system/health/get', {})).partList.some(({ part }) => part === 'storage'),
    );
    expect(await entryOf('storage')).toMatchObject({ siteId: 'local', state: 'good' });
    site.storage = { state: 'missing', reason: 'absent' };
    await waitFor('the missing folder', async () => (await entryOf('storage')).reason === 'storageMissing');
    expect((await entryOf('storage')).state).toBe('bad');
    await site.hangUp();
    await waitFor('the site to be gone', async () => (await entryOf('site')).reason === 'siteOffline');
    expect(await entryOf('site')).toMatchObject({ siteId: 'local', state: 'bad', figureList: [] });
    site = await ScriptedSite.dial(server);
    await waitFor('the site to be back', async () => (await entryOf('site')).state === 'good');
  });
});

it('names the versions, and the firmware of devices by model', async () => {
  const versions = await operator.ok('system/version/get', {});
  const { version } = await operator.ok('server/version', {});
  expect(versions).toMatchObject({ version, node: process.versions.node, siteProtocol: 1 });
  expect(versions.postgres).toMatch(/^\d+\./);
  expect(versions.revision).toMatch(/^([0-9a-f]{40})?$/);
  expect(versions.siteList).toMatchObject([{ siteId: 'local', isOnline: true, version }]);
  const { device } = await operator.ok('device/get', {
    deviceSerial: (await operator.ok('device/list', {})).deviceList[0]?.deviceSerial ?? '',
  });
  expect(versions.firmwareList).toEqual([
    { deviceModel: device.deviceModel, deviceVersion: device.deviceVersion, driver: device.driver, total: 1 },
  ]);
});

it('is refused to every other account', async () => {
  await operator.ok('user/add', { username: 'manager', password: 'Visit-2026', userType: 1 });
  await operator.ok('user/add', { username: 'owner', password: 'Visit-2026', userType: 2 });
  for (const name of ['manager', 'owner']) {
    const other = await server.signIn(name, 'Visit-2026');
    expect((await other.call('system/health/get', {})).code).toBe(1004);
    expect((await other.call('system/version/get', {})).code).toBe(1004);
  }
});
