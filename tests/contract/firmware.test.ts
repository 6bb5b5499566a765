// Firmware: uploads and invalid forms, available upgrades, and upgrades that end clearly.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UPLOAD_LIMITS } from '@vedette/contract/limits.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { upload, uploadPackage } from './upload-firmware.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let camera: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  camera = (await operator.ok('device/add', { target: 'rtsp://192.0.2.10/1', deviceName: 'Door' })).device.deviceSerial;
});
beforeEach(() => {
  site.refusals.clear();
  site.firmware.status = { state: 'taking', percent: 0, reason: null, version: null };
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const files = () => readdirSync(join(server.dataFolder, 'firmware'));
const wish = (more: Partial<Parameters<typeof upload>[1]> = {}) => ({ token: operator.accessToken, ...more });

async function status() {
  const { upgradeList } = await operator.ok('device/upgrade/status', { deviceSerial: camera });
  const [one] = upgradeList;
  if (one === undefined) throw new Error('no device');
  return one;
}

it('[CA-07] accepts a file with its fields as a multipart form and answers JSON', async () => {
  const file = randomBytes(300_000);
  const kept = await uploadPackage(server, wish({ file, fileName: '../../etc/<b>fw.bin' }));
  const sha256 = createHash('sha256').update(file).digest('hex');
  expect(kept).toMatchObject({
    deviceModel: 'Model',
    version: '2.0.0',
    bytes: file.length,
    sha256,
    fileName: 'bfw.bin',
  });
  expect(readFileSync(join(server.dataFolder, 'firmware', kept.packageId))).toEqual(file);
  const { packageList } = await operator.ok('device/upgrade/package/list', {});
  expect(packageList).toEqual([kept]);
  await operator.ok('device/upgrade/package/delete', { packageId: kept.packageId });
  expect(files()).toEqual([]);
});

it('[CA-07] other statuses name the error: no session, no right, no file, no model', async () => {
  await operator.ok('user/add', { username: 'clerk', password: 'Secret-1', userType: 5 });
  const clerk = await server.signIn('clerk', 'Secret-1');
  for (const [given, code, error] of [
    [{ token: null }, 401, 'tokenInvalid'],
    [{ token: clerk.accessToken }, 403, 'permissionDenied'],
    [{ file: Buffer.alloc(0) }, 400, 'paramInvalid'],
    [{ fields: { version: '2.0.0' } }, 400, 'paramInvalid'],
    [{ fields: { deviceModel: 'a<b', version: '2.0.0' } }, 400, 'paramInvalid'],
  ] as const) {
    expect(await upload(server, wish(given))).toMatchObject({ status: code, body: { error } });
  }
  expect(files()).toEqual([]);
});

it('[SE-94] an oversized file, a form of very many parts and an aborted upload leave nothing behind', async () => {
  const fields = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`f${at}`, 'x']));
  expect((await upload(server, wish({ fields })))?.status).toBe(400);
  const before = openFiles();
  for (let times = 0; times < 15; times++) {
    expect(await upload(server, wish({ file: randomBytes(200_000), leavesAfter: 100_000 }))).toBeNull();
  }
  await waitFor('what was broken off to be removed', () => files().length === 0);
  await waitFor('its files to be closed', () => openFiles() <= before + 2);
  const tooLarge = await upload(server, wish({ file: Buffer.alloc(UPLOAD_LIMITS.bytes + 1) }));
  expect(tooLarge).toMatchObject({ status: 413, body: { code: 1011 } });
  expect(files()).toEqual([]);
});

it('[VE-05] lists possible upgrades, transfers the file whole, and tracks the upgrade to its end', async () => {
  const file = randomBytes(1_200_000);
  await uploadPackage(server, wish({ file }));
  const offered = await operator.ok('device/upgrade/check', {});
  expect(offered.upgradeList).toMatchObject([{ deviceSerial: camera, version: '1.0', newVersion: '2.0.0' }]);
  expect((await operator.ok('device/upgrade/check', { deviceSerial: camera })).version).toBe('1.0');
  await operator.ok('device/upgrade/start', { deviceSerial: camera });
  expect((await operator.call('device/upgrade/start', { deviceSerial: camera })).code, 'never two at once').toBe(1012);
  await waitFor('the site to have the file', () => site.firmware.ran.includes(camera));
  expect(Buffer.concat(site.firmware.files.get(camera) ?? [])).toEqual(file);
  site.firmware.status = { state: 'sending', percent: 40, reason: null, version: null };
  await waitFor('the progress', async () => (await status()).progress === 40);
  expect(await status()).toMatchObject({ state: 'sending', newVersion: '2.0.0', canUpgrade: false });
  site.firmware.status = { state: 'finished', percent: 100, reason: null, version: '2.0.0' };
  await waitFor('its end', async () => (await status()).state === 'finished');
  expect(await status()).toMatchObject({ version: '2.0.0', newVersion: null, reason: null });
});

it('[FT-45] an upgrade ends with its device, in the middle of its file; the device added anew can be upgraded', async () => {
  await uploadPackage(
    server,
    wish({ file: randomBytes(1_200_000), fields: { deviceModel: 'Model', version: '2.5.0' } }),
  );
  const added = async () =>
    (await operator.ok('device/add', { target: 'rtsp://192.0.2.11/1', deviceName: 'Back door' })).device.deviceSerial;
  const deviceSerial = await added();
  site.silent.add('upgradePart');
  await operator.ok('device/upgrade/start', { deviceSerial });
  await waitFor('the first part to be sent', () => site.unanswered.includes('upgradePart'));
  await operator.ok('device/delete', { deviceSerial });
  expect(site.assigned.has(deviceSerial)).toBe(false);
  expect((await operator.call('device/upgrade/status', { deviceSerial })).code).toBe(1009);
  site.silent.delete('upgradePart');
  const anew = await added();
  await operator.ok('device/upgrade/start', { deviceSerial: anew });
  await waitFor('the site to have the file', () => site.firmware.ran.includes(anew));
  expect(Buffer.concat(site.firmware.files.get(anew) ?? []).length).toBe(1_200_000);
  site.firmware.status = { state: 'finished', percent: 100, reason: null, version: '2.5.0' };
  await waitFor('its end', async () => {
    const { upgradeList } = await operator.ok('device/upgrade/status', { deviceSerial: anew });
    return upgradeList[0]?.state === 'finished';
  });
  await operator.ok('device/delete', { deviceSerial: anew });
}, 60_000);

it('[VE-05] an upgrade interrupted by device or site ends as failed, and can be started again', async () => {
  await uploadPackage(server, wish({ fields: { deviceModel: 'Model', version: '3.0.0' } }));
  for (const [told, reason] of [
    [{ state: 'failed', percent: 0, reason: 'broken', version: null }, 'broken'],
    [{ state: 'none', percent: 0, reason: null, version: null }, 'interrupted'],
  ] as const) {
    site.firmware.ran.length = 0;
    await operator.ok('device/upgrade/start', { deviceSerial: camera });
    await waitFor('the site to have the file', () => site.firmware.ran.includes(camera));
    site.firmware.status = told;
    await waitFor(`it to end as ${reason}`, async () => (await status()).reason === reason);
    expect(await status()).toMatchObject({ state: 'failed' });
    site.firmware.status = { state: 'taking', percent: 0, reason: null, version: null };
  }
});

it('answers 1006 for a device without upgrades, and refuses a package of another model', async () => {
  site.refusals.set('upgradeBegin', { code: 1006, data: null });
  expect((await operator.call('device/upgrade/start', { deviceSerial: camera })).code).toBe(1006);
  const other = await uploadPackage(server, wish({ fields: { deviceModel: 'Other', version: '9' } }));
  const answer = await operator.call('device/upgrade/start', { deviceSerial: camera, packageId: other.packageId });
  expect(answer.code).toBe(1007);
});

it('switches an output, and formats a disk as a task', async () => {
  const dev = { deviceSerial: camera, channelNo: 1 };
  await operator.ok('config/output/switch', { ...dev, output: 'Relay_1', isOn: true });
  expect(site.firmware.switched).toMatchObject([{ output: 'Relay_1', isOn: true }]);
  expect((await operator.ok('config/storage/format', { ...dev, disk: '1' })).task.state).toBe('running');
  const { task } = await operator.ok('config/storage/format/status', { ...dev, disk: '1' });
  expect(task).toEqual({ disk: '1', state: 'finished', progress: 100, code: null });
});

/** Of the server's process. */
function openFiles(): number {
  return readdirSync(`/proc/${server.processId}/fd`).length;
}
