// Upgrades with a device that behaves as badly as it can, and with a file that is changed between its arrival and the device.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeviceFault } from '@vedette/drivers/kit/device-fault.ts';
import type { Driver, FirmwareFile } from '@vedette/drivers/kit/driver.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import type { Fleet } from '../supervision/fleet.ts';
import { FirmwareUpgrades } from './firmware-upgrades.ts';

const root = mkdtempSync(join(tmpdir(), 'upgrades-'));
const SERIAL = 'CAMERA1';
const PART = 100_000;

let clock: FakeClock;
let upgrades: FirmwareUpgrades;
let folder: string;
let firmware: () => string;
let take: (file: FirmwareFile, signal: AbortSignal) => Promise<void>;
/** What reached the device of each file that it was sent. */
let arrived: Buffer[];

beforeEach(() => {
  clock = new FakeClock();
  folder = mkdtempSync(join(root, 'site-'));
  firmware = () => '1.0';
  arrived = [];
  take = readAll;
  upgrades = newUpgrades();
});
afterEach(() => upgrades.close());
afterAll(() => rmSync(root, { recursive: true, force: true }));

function newUpgrades(): FirmwareUpgrades {
  const driver: Partial<Driver> = {
    describe: async () => ({ info: { manufacturer: 'M', model: 'X', firmware: firmware() } }) as never,
    refresh: () => undefined,
    upgrade: async (file, _onSent, signal) => await take(file, signal ?? new AbortController().signal),
  };
  const device = { supervisor: { driver, poke: () => undefined } };
  const fleet = { device: (serial: string) => (serial === SERIAL ? device : null) } as unknown as Fleet;
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  return new FirmwareUpgrades({ clock, log: log as never, fleet, folder: join(folder, 'firmware') });
}

async function readAll(file: FirmwareFile): Promise<void> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of file.read()) parts.push(part);
  } finally {
    arrived.push(Buffer.concat(parts));
  }
}

async function bring(data: Buffer, announced = data): Promise<void> {
  await upgrades.begin(SERIAL, announced.length, createHash('sha256').update(announced).digest('hex'));
  for (let at = 0; at < data.length; at += PART) await upgrades.part(SERIAL, at, data.subarray(at, at + PART));
}

const ended = async () => {
  await expect.poll(() => upgrades.status(SERIAL).state, { timeout: 10_000 }).toMatch(/^(failed|finished)$/u);
  return upgrades.status(SERIAL);
};
/** Time passes until it is over; each step lets what waits for the device go on. */
async function endedInTime(): Promise<ReturnType<FirmwareUpgrades['status']>> {
  await expect
    .poll(
      () => {
        const next = clock.next();
        if (next !== null && upgrades.status(SERIAL).state !== 'finished') clock.advance(next);
        return upgrades.status(SERIAL).state;
      },
      { timeout: 10_000, interval: 1 },
    )
    .toMatch(/^(failed|finished)$/u);
  return upgrades.status(SERIAL);
}

const stored = () => join(folder, 'firmware', `${SERIAL}.bin`);

it('[SE-94] a file that is changed on the disk of the site before the device has it never reaches the device whole', async () => {
  const data = randomBytes(350_000);
  for (const changed of ['a bit at its start', 'its last byte', 'while it is sent', 'its length']) {
    await bring(data);
    const spoilt = Buffer.from(data);
    spoilt.writeUInt8(spoilt.readUInt8(7) ^ 1, changed === 'its last byte' ? data.length - 1 : 7);
    const bytes = changed === 'its length' ? data.subarray(0, 1000) : spoilt;
    if (changed === 'while it is sent') {
      take = async (file) =>
        await readAll({
          ...file,
          read: async function* () {
            let isChanged = false;
            for await (const part of file.read()) {
              const late = Buffer.from(data);
              late.writeUInt8(late.readUInt8(data.length - 20) ^ 1, data.length - 20);
              if (!isChanged) writeFileSync(stored(), late);
              isChanged = true;
              yield part;
            }
          },
        });
    } else writeFileSync(stored(), bytes);
    await upgrades.run(SERIAL);
    expect(await ended(), changed).toMatchObject({ state: 'failed', reason: 'altered' });
    expect(arrived.at(-1)?.length, changed).toBeLessThan(data.length);
    expect(existsSync(stored()), 'nothing of it stays').toBe(false);
  }
  expect(arrived).toHaveLength(4);
});

it('[SE-94] a name that leads elsewhere, and one that was put in place of the file, are neither written through nor read', async () => {
  const data = randomBytes(250_000);
  const canary = join(folder, 'canary');
  writeFileSync(canary, 'not yours');
  await bring(data);
  rmSync(stored());
  symlinkSync(canary, stored());
  firmware = () => (arrived.length > 0 ? '2.0' : '1.0');
  await upgrades.run(SERIAL);
  expect(await endedInTime()).toMatchObject({ state: 'finished', version: '2.0' });
  expect(arrived).toEqual([data]);
  symlinkSync(canary, stored());
  await bring(data);
  expect(readdirSync(folder)).toContain('canary');
  await upgrades.run(SERIAL);
  await endedInTime();
  expect(arrived[1]).toEqual(data);
});

it('[SE-94] what is not what was announced ends before the device hears of it: other bytes, fewer, more, none, endless', async () => {
  const data = randomBytes(250_000);
  await bring(randomBytes(250_000), data);
  await expect(upgrades.run(SERIAL)).rejects.toMatchObject({ code: 1003 });
  expect(upgrades.status(SERIAL)).toMatchObject({ state: 'failed', reason: 'altered' });
  await bring(data.subarray(0, 100), data);
  await expect(upgrades.run(SERIAL)).rejects.toMatchObject({ code: 1003 });
  await bring(data);
  await expect(upgrades.part(SERIAL, data.length, Buffer.alloc(1))).rejects.toMatchObject({ code: 1003 });
  await expect(upgrades.part(SERIAL, 5, Buffer.alloc(1))).rejects.toMatchObject({ code: 1003 });
  await upgrades.close();
  upgrades = newUpgrades();
  for (const bytes of [0, -1, Number.NaN, 2 ** 40]) {
    await expect(upgrades.begin(SERIAL, bytes, '')).rejects.toMatchObject({ code: 1003 });
  }
  expect(arrived).toEqual([]);
});

it('[FT-45] a device that is deleted while it takes, is sent or installs a file ends its upgrade, and the next one begins', async () => {
  const data = randomBytes(350_000);
  const gone = async (step: string) => {
    await upgrades.deviceGone(SERIAL);
    expect(upgrades.status(SERIAL).state, step).toBe('none');
    expect(readdirSync(join(folder, 'firmware')), step).toEqual([]);
  };
  await upgrades.begin(SERIAL, data.length, createHash('sha256').update(data).digest('hex'));
  await upgrades.part(SERIAL, 0, data.subarray(0, PART));
  await gone('taking');
  await expect(upgrades.part(SERIAL, PART, data.subarray(PART))).rejects.toMatchObject({ code: 1007 });
  let sending: AbortSignal | undefined;
  take = (_, signal) => {
    sending = signal;
    return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error('left'))));
  };
  await bring(data);
  await upgrades.run(SERIAL);
  await expect.poll(() => sending).toBeDefined();
  await gone('sending');
  expect(sending?.aborted).toBe(true);
  take = readAll;
  await bring(data);
  await upgrades.run(SERIAL);
  await expect.poll(() => upgrades.status(SERIAL).state).toBe('installing');
  await gone('installing');
  // What the ended one does late does not touch the next one, which has the same name.
  await bring(data);
  await expect.poll(() => clock.next()).not.toBeNull();
  clock.advance(clock.next() ?? 0);
  expect(upgrades.status(SERIAL)).toMatchObject({ state: 'taking', percent: 100 });
  expect(readdirSync(join(folder, 'firmware'))).toHaveLength(1);
});

it('[VE-05] a device that refuses, breaks off, never answers, takes it and stays as it is, or never comes back ends with its reason', async () => {
  const data = randomBytes(1000);
  const cases: readonly [string, typeof take, () => string][] = [
    ['refused', () => Promise.reject(new DeviceFault('not-found', 'HTTP 415')), () => '1.0'],
    ['broken', () => Promise.reject(new DeviceFault('other-protocol', 'garbage')), () => '1.0'],
    ['broken', () => Promise.reject(new SyntaxError('garbage')), () => '1.0'],
    [
      'broken',
      (_, signal) => new Promise((_done, fail) => signal.addEventListener('abort', () => fail(new Error()))),
      () => '1.0',
    ],
    ['sameVersion', readAll, () => '1.0'],
  ];
  for (const [reason, how, version] of cases) {
    take = how;
    firmware = version;
    await bring(data);
    await upgrades.run(SERIAL);
    expect(await endedInTime(), reason).toMatchObject({ state: 'failed', reason });
    expect(readdirSync(join(folder, 'firmware')), reason).toEqual([]);
  }
  take = async (file) => {
    await readAll(file);
    firmware = () => {
      throw new DeviceFault('unreachable', 'gone for good');
    };
  };
  firmware = () => '1.0';
  await bring(data);
  await upgrades.run(SERIAL);
  expect(await endedInTime()).toMatchObject({ state: 'failed', reason: 'notBack' });
});
