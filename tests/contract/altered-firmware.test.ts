// Packages that are changed on the server's disk between their upload and the device, and sites that say anything of an upgrade.
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FirmwarePackage } from '@vedette/contract/calls/firmware.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../harness/wait-for.ts';
import { ScriptedSite } from './scripted-site.ts';
import { type CallClient, ServerUnderTest } from './server-under-test.ts';
import { uploadPackage } from './upload-firmware.ts';

let server: ServerUnderTest;
let site: ScriptedSite;
let operator: CallClient;
let camera: string;
let neighbour: string;

beforeAll(async () => {
  server = await ServerUnderTest.start();
  operator = await server.setUp();
  site = await ScriptedSite.dial(server);
  const add = async (host: number) => {
    const wish = { target: `rtsp://192.0.2.${host}/1`, deviceName: `Camera ${host}` };
    return (await operator.ok('device/add', wish)).device.deviceSerial;
  };
  [camera, neighbour] = [await add(10), await add(11)];
});
afterAll(async () => {
  await site?.hangUp();
  await server?.stop();
});

const data = randomBytes(1_200_000);
const spoilt = Buffer.from(data);
spoilt.writeUInt8(spoilt.readUInt8(1_199_999) ^ 1, 1_199_999);

const CHANGES: Readonly<Record<string, (path: string, other: string) => void>> = {
  'one bit at its end': (path) => writeFileSync(path, spoilt),
  'it is shorter': (path) => truncateSync(path, 700_000),
  'it is longer': (path) => truncateSync(path, 5_000_000),
  'it is gone': (path) => rmSync(path),
  'another package': (path, other) => execFileSync('cp', [other, path]),
  'a link to another package': (path, other) => {
    rmSync(path);
    symlinkSync(other, path);
  },
  'a FIFO': (path) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  'a device without end': (path) => {
    rmSync(path);
    symlinkSync('/dev/zero', path);
  },
};

const pathOf = ({ packageId }: FirmwarePackage) => join(server.dataFolder, 'firmware', packageId);
const openFiles = (): number => readdirSync(`/proc/${server.processId}/fd`).length;

async function upgradeOf(deviceSerial: string) {
  const [one] = (await operator.ok('device/upgrade/status', { deviceSerial })).upgradeList;
  if (one === undefined) throw new Error('no device');
  return one;
}

it('[SE-94] a package that was changed on the disk after its upload is told as altered, and no device is told to take it', async () => {
  const wish = { token: operator.accessToken, file: data };
  const other = await uploadPackage(server, { ...wish, file: randomBytes(data.length) });
  const before = openFiles();
  for (const [what, change] of Object.entries(CHANGES)) {
    const kept = await uploadPackage(server, wish);
    change(pathOf(kept), pathOf(other));
    site.firmware.ran.length = 0;
    await operator.ok('device/upgrade/start', { deviceSerial: camera, packageId: kept.packageId });
    await waitFor(`it to end where ${what}`, async () => (await upgradeOf(camera)).state === 'failed');
    expect(await upgradeOf(camera), what).toMatchObject({ state: 'failed', reason: 'altered' });
    expect(site.firmware.ran, what).toEqual([]);
    await operator.ok('device/upgrade/package/delete', { packageId: kept.packageId });
  }
  await waitFor('its files to be closed', () => openFiles() <= before + 2);
  expect(readdirSync(join(server.dataFolder, 'firmware'))).toEqual([other.packageId]);
});

const ANSWERS: Readonly<Record<string, unknown>> = {
  nothing: null,
  'a word': 'finished',
  'an unknown state': { state: 'exploded', percent: 1, reason: null, version: null },
  'a state of prototypes': { state: '__proto__', percent: 1, reason: null, version: null },
  'a reason of its own': { state: 'failed', percent: 0, reason: 'x'.repeat(100_000), version: null },
  'a percent that is a text': { state: 'sending', percent: '40; DROP TABLE device', reason: null, version: null },
  'a version that is a list': { state: 'finished', percent: 100, reason: null, version: ['2'] },
};

it('[SE-94] whatever a site answers of one upgrade, that one ends, and those of other devices are followed', async () => {
  const { packageId } = await uploadPackage(server, { token: operator.accessToken });
  for (const [what, answer] of Object.entries(ANSWERS)) {
    site.firmware.ran.length = 0;
    for (const deviceSerial of [camera, neighbour]) {
      await operator.ok('device/upgrade/start', { deviceSerial, packageId });
    }
    await waitFor('both to have the file', () => site.firmware.ran.length === 2);
    site.firmware.statusOf.set(camera, answer);
    site.firmware.statusOf.set(neighbour, { state: 'failed', percent: 0, reason: 'refused', version: null });
    await waitFor(
      `the neighbour to be followed beside ${what}`,
      async () => (await upgradeOf(neighbour)).state === 'failed',
    );
    await waitFor(`${what} to end it`, async () => (await upgradeOf(camera)).state === 'failed');
    expect((await upgradeOf(camera)).reason, what).toBe('interrupted');
    site.firmware.statusOf.clear();
  }
});

it('[SE-94] a version that a device says after its upgrade is stored as one line of what can be seen', async () => {
  const { packageId } = await uploadPackage(server, { token: operator.accessToken });
  await operator.ok('device/upgrade/start', { deviceSerial: camera, packageId });
  await waitFor('the site to have the file', () => site.firmware.ran.includes(camera));
  const version = `<script>alert(1)</script>\r\nSet-Cookie: a=b\0\u202E3.0\u2028${'9'.repeat(5000)}`;
  site.firmware.statusOf.set(camera, { state: 'finished', percent: 1e300, reason: null, version });
  await waitFor('its end', async () => (await upgradeOf(camera)).state === 'finished');
  const stored = (await upgradeOf(camera)).version;
  expect(stored).toMatch(/^script alert\(1\) \/script {3}Set-Cookie: a=b +3\.0/u);
  expect(stored).not.toMatch(/[<>\p{Cc}\p{Cf}\p{Zl}]/u);
  expect(stored.length).toBeLessThanOrEqual(64);
});
