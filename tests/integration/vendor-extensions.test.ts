// Vendor extensions and other device equipment: set, read back, and effective.
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { WeekTimes } from '@vedette/contract/config/fields.ts';
import type { Driver } from '@vedette/drivers/kit/driver.ts';
import { probe } from '@vedette/drivers/probe.ts';
import { parseProbeTarget } from '@vedette/drivers/probe-target.ts';
import { driverById } from '@vedette/drivers/registry.ts';
import { testContext } from '@vedette/drivers/testing/driver-context.fake.ts';
import { firmwareFile } from '../../virtual-devices/device/firmware.ts';
import { VirtualDevice } from '../../virtual-devices/host/virtual-device.ts';
import { RecordingGenerator } from '../../virtual-devices/recordings/recording-generator.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: VirtualSite;
const opened = new Map<string, Driver>();
beforeAll(async () => {
  site = await startVirtualSite();
});
afterAll(async () => {
  for (const driver of opened.values()) await driver.close();
  await site?.stop();
});

async function driverOf(name: string): Promise<Driver> {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const device = site.devices.find((one) => one.name === name);
  const target = parseProbeTarget(device?.target ?? '');
  if (device === undefined || target === null) throw new Error(`no virtual camera ${name}`);
  const credentials = { user: device.user, password: device.password };
  const context = testContext();
  const { native } = await probe({ target, credentials, context });
  const driver = driverById('onvif')?.open({ native, credentials, context });
  if (driver === undefined) throw new Error('no driver');
  opened.set(name, driver);
  return driver;
}

async function configOf(name: string) {
  const { config } = await (await driverOf(name)).channel(1);
  if (config === undefined) throw new Error('no configuration');
  return config;
}

async function read(camera: string, section: SectionName) {
  const reading = await (await configOf(camera)).section(section)?.read();
  return {
    value: (reading?.value ?? {}) as Record<string, never>,
    limits: reading?.capabilities as Record<string, never>,
  };
}

async function set(camera: string, section: SectionName, change: object) {
  const found = (await configOf(camera)).section(section);
  const before = await found?.read();
  if (found === null || before === undefined) throw new Error(`no section ${section}`);
  await found.write({ ...before.value, ...change } as never, before as never);
  return (await read(camera, section)).value as Record<string, unknown>;
}

async function control(name: string, command: string, body: object = {}) {
  const target = site.devices.find((one) => one.name === name)?.target;
  const { devices } = (await (await fetch(`${site.controlUrl}/state`)).json()) as {
    devices: { serial: string; target: string }[];
  };
  const serial = devices.find((one) => one.target === target)?.serial;
  const answer = await fetch(`${site.controlUrl}/devices/${serial}/${command}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

const weekdays: WeekTimes = [1, 2, 3, 4, 5, 6, 7].map((day) => ({
  day,
  entryList: day < 6 ? [{ StartTime: '18:00:00', EndTime: '23:59:59' }] : [],
}));

describe.each([
  ['ISAPI', 'Car Park', ['alarm', 'email'], 8],
  ['CGI', 'Warehouse A', ['email', 'beep'], 6],
] as const)('vendor extensions of %s', (_, camera, linkage, most) => {
  test('[DC-01] a weekly plan and the actions on motion, beside the cells of ONVIF', async () => {
    const { value, limits } = await read(camera, 'motion');
    expect(Object.keys(value)).toEqual(expect.arrayContaining(['on', 'sensitivity', 'cells', 'plan', 'linkage']));
    expect(limits['plan']).toEqual({ most, hasHoliday: false });
    expect(await set(camera, 'motion', { plan: weekdays, linkage, sensitivity: 41 })).toMatchObject({
      plan: weekdays,
      linkage,
      sensitivity: 41,
    });
  });

  test('[DC-06] disks with size and use; formatting reports progress', async () => {
    const { value } = await read(camera, 'storage');
    const [disk] = (value['disks'] ?? []) as {
      id: string;
      usedBytes: number;
      canFormat: boolean;
      recordStatus: number;
    }[];
    if (disk === undefined) throw new Error('no disk');
    expect(disk).toMatchObject({ canFormat: true, recordStatus: 0 });
    expect(disk.usedBytes).toBeGreaterThan(1e9);
    const reported: number[] = [];
    await (await configOf(camera)).formatDisk?.(disk.id, (percent) => reported.push(percent));
    expect(reported.length).toBeGreaterThan(0);
    await waitFor('the disk to be empty', async () => {
      const [now] = ((await read(camera, 'storage')).value['disks'] ?? []) as { usedBytes: number }[];
      return now?.usedBytes === 0;
    });
  });

  test('[DC-08] mirror and rotation are read back', async () => {
    expect(await set(camera, 'image', { mirror: true })).toMatchObject({ mirror: true, rotation: '0', brightness: 50 });
    expect(await set(camera, 'image', { rotation: '180' })).toMatchObject({ mirror: true, rotation: '180' });
    expect(await set(camera, 'image', { mirror: false, rotation: '0' })).toMatchObject({
      mirror: false,
      rotation: '0',
    });
  });
});

test.each([
  ['ISAPI', 'Car Park'],
  ['CGI', 'Warehouse A'],
])('[DC-06] overwriting the oldest recordings is switched by %s', async (_, camera) => {
  expect((await read(camera, 'storage')).value['overwrite']).toBe(true);
  expect(await set(camera, 'storage', { overwrite: false })).toMatchObject({ overwrite: false });
  expect(await set(camera, 'storage', { overwrite: true })).toMatchObject({ overwrite: true });
});

test('[DC-07] volumes and noise reduction of ISAPI', async () => {
  const wish = { inputVolume: 35, outputVolume: 70, noiseReduction: false };
  expect(await set('Car Park', 'audio', wish)).toMatchObject(wish);
});

test('[DC-02] people: regions of ISAPI are drawn, moved and deleted; CGI switches it in steps', async () => {
  const region = [
    { x: 0.2, y: 0.2 },
    { x: 0.7, y: 0.2 },
    { x: 0.5, y: 0.8 },
  ];
  const added = await set('Car Park', 'humanShape', { on: true, rules: [{ id: '', confidence: 80, region }] });
  expect(added).toMatchObject({ on: true, rules: [{ confidence: 80, region }] });
  expect(await set('Car Park', 'humanShape', { rules: [] })).toMatchObject({ on: true, rules: [] });
  const [rule] = (await read('Warehouse A', 'humanShape')).value['rules'] as unknown as readonly { id: string }[];
  const changed = await set('Warehouse A', 'humanShape', {
    on: false,
    sensitivity: 100,
    rules: [{ ...rule, name: 'Gangway', region }],
  });
  // Their grid has 8192 places.
  const drawn = region.map(({ x, y }) => ({ x: expect.closeTo(x, 3), y: expect.closeTo(y, 3) }));
  expect(changed).toMatchObject({ on: false, sensitivity: 100, rules: [{ name: 'Gangway', region: drawn }] });
});

describe('PTZ tracking', () => {
  async function startDome(vendor: 'isapi' | 'cgi') {
    const account = { user: 'admin', password: 'camera-secret' };
    const recordingGenerator = new RecordingGenerator();
    const channel = { name: 'Dome', label: 'Dome', scene: 'street', variant: 0, hasPtz: true } as const;
    const plan = { name: 'Dome', kind: 'camera', serial: `DOME${vendor}`, model: 'VD-P1', vendor } as const;
    const device = new VirtualDevice({
      plan: { ...plan, ...account, organization: [], channels: [channel], hasHistory: false },
      host: '127.0.0.1',
      httpPort: 0,
      rtspPort: 0,
      clock: { wallMs: () => Date.now(), monotonicMs: () => performance.now() },
      utcOffset: () => 0,
      seed: 77,
      recordingGenerator,
      report: (error) => {
        throw error;
      },
    });
    await device.start();
    const context = testContext();
    const target = parseProbeTarget(device.target);
    if (target === null) throw new Error('no target');
    const { native } = await probe({ target, credentials: account, context });
    const driver = driverById('onvif')?.open({ native, credentials: account, context });
    const { config } = (await driver?.channel(1)) ?? {};
    const section = config?.section('tracking');
    if (config === undefined || section === null || section === undefined) throw new Error('no tracking');
    const stop = async () => {
      await driver?.close();
      await device.stop();
      await recordingGenerator.close();
    };
    return { device, config, section, stop };
  }

  test.each([
    ['isapi', { on: true }, { classes: [], holdMs: 10_000 }],
    ['cgi', { on: true, target: 'vehicle', hold: 45 }, { classes: ['Vehicle'], holdMs: 45_000 }],
  ] as const)('[DC-03] by %s, settings are read back and applied', async (vendor, wish, followed) => {
    const { device, config, section, stop } = await startDome(vendor);
    try {
      expect(await config.names()).toContain('tracking');
      const before = await section.read();
      expect(before.value.on).toBe(false);
      expect(Object.keys(before.capabilities).sort()).toEqual(Object.keys(wish).sort());
      await section.write({ ...before.value, ...wish }, before);
      const after = await section.read();
      expect(after.value).toEqual(wish);
      const track = () => device.settingsOf(1).rules.find(({ kind }) => kind === 'ObjectTrack');
      expect(track()).toMatchObject(followed);
      await section.write({ ...after.value, on: false }, after);
      expect((await section.read()).value).toEqual({ ...wish, on: false });
      expect(track()).toBeUndefined();
    } finally {
      await stop();
    }
  });

  test('[DC-03] a fixed camera has no such section', async () => {
    for (const camera of ['Car Park', 'Warehouse A'])
      expect(await (await configOf(camera)).names()).not.toContain('tracking');
  });
});

describe('equipment over ONVIF', () => {
  test('[DC-07] the codec of the microphone and the volume of the loudspeaker', async () => {
    const { value, limits } = await read('Main Lobby', 'audio');
    expect(limits['codec']).toEqual({ options: ['g711a', 'g711u'] });
    const other = String(value['codec']) === 'g711a' ? 'g711u' : 'g711a';
    expect(await set('Main Lobby', 'audio', { codec: other, outputVolume: 25 })).toMatchObject({
      codec: other,
      outputVolume: 25,
    });
    const { channels } = await (async () => {
      const driver = await driverOf('Main Lobby');
      driver.refresh();
      return await driver.describe();
    })();
    expect(channels[0]?.streams[0]?.audio).toBe(other === 'g711a' ? 'pcma' : 'pcmu');
  });

  test('[DC-08] the image is rotated by its video source, beside the imaging settings', async () => {
    const { value, limits } = await read('Main Lobby', 'image');
    expect(value).toMatchObject({ rotation: '0', brightness: 50 });
    expect(limits['rotation']).toEqual({ options: ['0', '180'] });
    expect(await set('Main Lobby', 'image', { rotation: '180', contrast: 51 })).toMatchObject({
      rotation: '180',
      contrast: 51,
    });
    expect(await set('Main Lobby', 'image', { rotation: '0', contrast: 50 })).toMatchObject({ rotation: '0' });
  });

  test('[DC-02] a rule for people is created, changed and deleted', async () => {
    const region = [
      { x: 0.1, y: 0.1 },
      { x: 0.9, y: 0.1 },
      { x: 0.9, y: 0.9 },
    ];
    const made = await set('Main Lobby', 'humanShape', { rules: [{ id: '', name: 'Hall', confidence: 60, region }] });
    expect(made['rules']).toEqual([{ id: 'Hall', name: 'Hall', confidence: 60, region }]);
    const changed = await set('Main Lobby', 'humanShape', {
      rules: [{ id: 'Hall', name: 'Hall', confidence: 90, region }],
    });
    expect(changed['rules']).toMatchObject([{ confidence: 90 }]);
    expect(await set('Main Lobby', 'humanShape', { rules: [] })).toEqual({ rules: [] });
  });

  test('[DC-03] tracking is enabled with target, hold time and home, on PTZ cameras alone', async () => {
    expect(await (await configOf('Main Lobby')).names()).not.toContain('tracking');
    const wish = { on: true, target: 'vehicle', hold: 12, home: '1' };
    expect(await set('Roof', 'tracking', wish)).toMatchObject(wish);
    expect(await set('Roof', 'tracking', { on: false })).toMatchObject({ on: false });
  });

  test('inputs and outputs are configured, and an output is tested', async () => {
    const { value } = await read('Gate House', 'io');
    const [input, ...others] = (value['inputs'] ?? []) as object[];
    const outputs = [{ id: 'Relay_1', name: 'Relay_1', mode: 'monostable', delay: 2, idle: 'closed' }];
    const after = await set('Gate House', 'io', { inputs: [{ ...input, idle: 'closed' }, ...others], outputs });
    expect(after).toMatchObject({ inputs: [{ idle: 'closed' }, { idle: 'open' }], outputs });
    const heard: string[] = [];
    const leaving = new AbortController();
    const done = (await driverOf('Gate House')).listen?.({
      onEvent: ({ topic, phase }) => heard.push(`${topic} ${phase}`),
      onState: ({ kind }) => heard.push(kind),
      signal: leaving.signal,
    });
    await waitFor('the subscription', () => heard.includes('listening'));
    await (await configOf('Gate House')).switchOutput?.('Relay_1', true);
    await waitFor('the relay to be told on and, two seconds later, off', () =>
      ['start', 'end'].every((phase) => heard.includes(`tns1:Device/Trigger/Relay ${phase}`)),
    );
    leaving.abort();
    await done;
  });
});

describe('firmware', () => {
  const file = (data: Buffer) => ({
    bytes: data.length,
    read: async function* () {
      for (let at = 0; at < data.length; at += 50_000) yield data.subarray(at, at + 50_000);
    },
  });

  test('[VE-05] a device takes a file, restarts and comes back with another version', async () => {
    const driver = await driverOf('Dock 3');
    expect((await driver.describe()).capabilities).toContain('upgrade');
    const sent: number[] = [];
    const data = firmwareFile('2.0.0', Buffer.alloc(400_000, 7));
    await driver.upgrade?.(file(data), (bytes) => sent.push(bytes));
    expect(sent.at(-1)).toBe(data.length);
    await waitFor('it to be back', async () => {
      driver.refresh();
      return (await driver.describe(AbortSignal.timeout(2000)).catch(() => null))?.info.firmware === '2.0.0';
    });
  });

  test('[VE-05] a device without HTTP upload gets it as an MTOM package, and refuses a damaged one', async () => {
    const driver = await driverOf('Server Room');
    await control('Server Room', 'firmware', { fault: 'none', way: 'mtom' });
    expect((await driver.describe()).capabilities).toContain('upgrade');
    const damaged = firmwareFile('2.1.0', Buffer.alloc(1000, 7));
    damaged[damaged.length - 1] = 8;
    await expect(driver.upgrade?.(file(damaged), () => undefined)).rejects.toMatchObject({
      kind: 'device',
      fault: 'ter:InvalidArgs/ter:InvalidFirmware',
    });
    await control('Server Room', 'firmware', { fault: 'drops', way: 'mtom' });
    const data = firmwareFile('2.1.0', Buffer.alloc(1_400_000, 7));
    await expect(driver.upgrade?.(file(data), () => undefined)).rejects.toMatchObject({ name: 'DeviceFault' });
    await control('Server Room', 'firmware', { fault: 'none', way: 'mtom' });
    const sent: number[] = [];
    await driver.upgrade?.(file(data), (bytes) => sent.push(bytes));
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.at(-1)).toBe(data.length);
    await waitFor('it to be back', async () => {
      driver.refresh();
      return (await driver.describe(AbortSignal.timeout(2000)).catch(() => null))?.info.firmware === '2.1.0';
    });
  });

  test('a damaged file is refused, an interrupted upgrade is reported, and the version stays', async () => {
    const driver = await driverOf('Gate House');
    const damaged = firmwareFile('3.0.0', Buffer.alloc(1000, 7));
    damaged[damaged.length - 1] = 8;
    await expect(driver.upgrade?.(file(damaged), () => undefined)).rejects.toMatchObject({ kind: 'not-found' });
    await control('Gate House', 'firmware', { fault: 'drops' });
    const good = firmwareFile('3.0.0', Buffer.alloc(400_000, 7));
    await expect(driver.upgrade?.(file(good), () => undefined)).rejects.toMatchObject({ name: 'DeviceFault' });
    driver.refresh();
    expect((await driver.describe()).info.firmware).toBe('1.0.0');
  });
});
