// Device configuration through the driver: values are read back, and the image really changes.
import type { SectionName } from '@vedette/contract/config/section-names.ts';
import type { Driver } from '@vedette/drivers/kit/driver.ts';
import { probe } from '@vedette/drivers/probe.ts';
import { parseProbeTarget } from '@vedette/drivers/probe-target.ts';
import { driverById } from '@vedette/drivers/registry.ts';
import { testContext } from '@vedette/drivers/testing/driver-context.fake.ts';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: VirtualSite;
let driver: Driver;
beforeAll(async () => {
  site = await startVirtualSite();
  const device = site.devices.find(({ name }) => name === 'Main Lobby');
  const target = parseProbeTarget(device?.target ?? '');
  if (device === undefined || target === null) throw new Error('no virtual camera');
  const credentials = { user: device.user, password: device.password };
  const context = testContext();
  const { native } = await probe({ target, credentials, context });
  const opened = driverById('onvif')?.open({ native, credentials, context });
  if (opened === undefined) throw new Error('no driver');
  driver = opened;
});
afterAll(async () => {
  await driver?.close();
  await site?.stop();
});

async function section<S extends SectionName>(name: S) {
  const { config } = await driver.channel(1);
  const found = config?.section(name);
  if (found === null || found === undefined) throw new Error(`no section ${name}`);
  return found;
}

async function set(name: SectionName, change: object) {
  const found = await section(name);
  const before = await found.read();
  await found.write({ ...before.value, ...change }, before);
  return (await found.read()).value as Record<string, unknown>;
}

interface Snapshot {
  readonly width: number;
  /** The brightness of each pixel, row by row. */
  readonly luma: Buffer;
}

/** Shares of width and height. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

async function pixels(): Promise<Snapshot> {
  const jpeg = (await (await driver.channel(1)).snapshot?.())?.data;
  const { stdout } = spawnSync('ffmpeg', ['-v', 'error', '-i', '-', '-f', 'rawvideo', '-pix_fmt', 'gray', '-'], {
    input: jpeg,
    maxBuffer: 1 << 24,
  });
  return { width: Math.round(Math.sqrt((stdout.length * 16) / 9)), luma: stdout };
}

function* within(area: Area, { width, luma }: Snapshot): Generator<number> {
  const height = luma.length / width;
  for (let y = Math.floor(area.top * height); y < area.bottom * height; y++) {
    for (let x = Math.floor(area.left * width); x < area.right * width; x++) yield y * width + x;
  }
}

/** Mean over an area of what a pixel counts, at first its brightness. */
async function mean(
  area: Area = { left: 0, top: 0.1, right: 1, bottom: 0.85 },
  of: (luma: number) => number = (luma) => luma,
): Promise<number> {
  const snapshot = await pixels();
  let sum = 0;
  let count = 0;
  for (const at of within(area, snapshot)) {
    sum += of(snapshot.luma[at] ?? 0);
    count++;
  }
  return sum / count;
}

/** Share of the pixels of an area that differ clearly from an earlier snapshot: scenes are bright at noon and dark at night. */
async function changed(area: Area, before: Snapshot): Promise<number> {
  const now = await pixels();
  let count = 0;
  let of = 0;
  for (const at of within(area, now)) {
    of++;
    if (Math.abs((now.luma[at] ?? 0) - (before.luma[at] ?? 0)) > 30) count++;
  }
  return count / of;
}

describe('configuration of a virtual camera', () => {
  test('[DC-09] lists its sections', async () => {
    const { config } = await driver.channel(1);
    expect(await config?.names()).toEqual(expect.arrayContaining(['image', 'osd', 'video', 'motion', 'mask', 'time']));
  });

  test('a higher brightness makes a brighter image', async () => {
    const before = await mean();
    expect(await set('image', { brightness: 80 })).toMatchObject({ brightness: 80, contrast: 50 });
    expect((await mean()) - before).toBeGreaterThan(25);
    await set('image', { brightness: 50 });
    expect(Math.abs((await mean()) - before)).toBeLessThan(10);
  });

  test('[DC-05] a text overlay is drawn at its position, moved, and deleted', async () => {
    const place = { left: 0.3, top: 0.4, right: 0.6, bottom: 0.45 };
    const name = { id: 'osd_name', type: 'plain', text: 'Main Lobby', position: { x: 0.006, y: 0.94 } };
    await set('osd', { texts: [name] });
    const { value } = await (await section('osd')).read();
    const plain = await pixels();
    const text = { id: '', type: 'plain', text: 'HHHHHHHHHHHHHHHH', position: { x: 0.3, y: 0.4 } };
    const added = await set('osd', { texts: [...(value.texts ?? []), text] });
    expect(added['texts']).toHaveLength(2);
    expect(await changed(place, plain)).toBeGreaterThan(0.1);
    expect(await set('osd', value)).toEqual(value);
    expect(await changed(place, plain)).toBeLessThan(0.05);
  });

  test('[DC-04] reads back time zone and daylight saving as set', async () => {
    const dstStart = { month: 4, week: 1, weekday: 0, minute: 120 };
    const dstEnd = { month: 10, week: 2, weekday: 6, minute: 180 };
    const wish = { offset: 570, dst: true, dstStart, dstEnd, dstShift: 30, ntpServer: '192.0.2.7' };
    expect(await set('time', wish)).toMatchObject(wish);
    expect(await set('time', { dst: false })).toMatchObject({ dst: false, offset: 570 });
    expect(await set('time', { offset: 0, source: 'ntp' })).toMatchObject({ offset: 0, source: 'ntp' });
  });

  test('reads back area and sensitivity of motion detection, also disabled', async () => {
    const { value } = await (await section('motion')).read();
    const { columns = 0, rows = 0 } = value.cells ?? {};
    const cells = Array.from({ length: columns * rows }, (_, at) => (at % columns < 7 ? '1' : '0')).join('');
    const wish = { on: true, sensitivity: 35, cells: { columns, rows, cells } };
    expect(await set('motion', wish)).toEqual(wish);
    expect(await set('motion', { on: false })).toMatchObject({ on: false, sensitivity: 35 });
    expect(await set('motion', wish)).toEqual(wish);
  });

  test('a privacy mask covers its area, and nothing when disabled', async () => {
    const place = { left: 0.42, top: 0.35, right: 0.58, bottom: 0.55 };
    const dark = () => mean(place, (luma) => (luma < 24 ? 1 : 0));
    const area = [
      { x: 0.4, y: 0.3 },
      { x: 0.6, y: 0.3 },
      { x: 0.6, y: 0.6 },
      { x: 0.4, y: 0.6 },
    ];
    const added = await set('mask', { masks: [{ id: '', on: true, area, look: 'color' }] });
    expect(added['masks']).toMatchObject([{ on: true, area }]);
    expect(await dark()).toBeGreaterThan(0.95);
    const [mask] = added['masks'] as object[];
    await set('mask', { masks: [{ ...mask, on: false }] });
    expect(await dark()).toBeLessThan(0.5);
    expect(await set('mask', { masks: [] })).toEqual({ masks: [] });
  });

  test('the encoder really sends another resolution', async () => {
    const { value } = await (await section('video')).read();
    const [main, ...others] = value.streams ?? [];
    await set('video', { streams: [{ ...main, resolution: '640x360', fps: 10, gop: 30 }, ...others] });
    await waitFor('the snapshot to have the other size', async () => (await pixels()).width === 640);
    expect(await set('video', value)).toEqual(value);
  });
});
