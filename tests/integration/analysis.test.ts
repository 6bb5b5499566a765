// Edge intelligence of a site alone: virtual cameras whose scenes have people and cars, the real runtime, and the real model.
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import type { DeviceAssignment, DeviceEventReport } from '@vedette/contract/site/site.ts';
import { readSiteEvent } from '@vedette/contract/site/site-messages.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { findProcess } from '../harness/processes.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: SiteProcess;
let virtual: VirtualSite;
let camera: Omit<DeviceAssignment, 'channels'>;

/** A street with people on the pavement and cars both ways: somebody comes by every few seconds. */
const STREET = '西门街道';
const SOMEBODY_MS = 90_000;

const zone = {
  regionId: 'all',
  regionName: 'Everywhere',
  kind: 'zone',
  points: [
    { x: 0, y: 0 },
    { x: 1, y: 0 },
    { x: 1, y: 1 },
    { x: 0, y: 1 },
  ],
  direction: 'both',
} as const;
/** Side by side, so that whoever walks or drives through crosses one soon. */
const LINES = { West: 0.25, Middle: 0.5, East: 0.75 } as const;
const lines = Object.entries(LINES).map(([regionName, x]) => ({
  regionId: regionName,
  regionName,
  kind: 'line' as const,
  points: [
    { x, y: 0 },
    { x, y: 1 },
  ],
  direction: 'both' as const,
}));
const task = (algorithm: 'lineCrossing' | 'intrusion'): AnalysisOrder => ({
  taskId: `task-${algorithm}`,
  algorithm,
  regions: algorithm === 'intrusion' ? [zone] : lines,
  classes: ['person', 'vehicle'],
  threshold: 10,
  minHeight: 0.02,
  maxHeight: 1,
  dwellS: 10,
  densityLevels: [3, 6, 10],
});

const assign = (analysis: readonly AnalysisOrder[]) => {
  const record = { quality: 1, retentionDays: 30 } as const;
  const channel = { channelNo: 1, channelId: 'street', record, backfillFrom: null, analysis };
  return site.ok('assign', { devices: [{ ...camera, channels: [channel] }], settings: site.settings });
};
const status = () => site.ok('analysisStatus', {});
const events = (type: string) =>
  site.events.filter((event): event is DeviceEventReport => event.kind === 'deviceEvent' && event.topic.endsWith(type));
const analyst = () => findProcess(site.pid, 'main-analyst.ts');

describe.skipIf(!hasAnalystRuntime)('edge intelligence', () => {
  beforeAll(async () => {
    [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
    await site.serve();
    await site.start();
    const found = virtual.devices.find(({ name }) => name === STREET);
    if (!found) throw new Error('no street');
    const { target, user, password } = found;
    const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
    camera = { deviceSerial, driver, native, user, password, isOperatorAddress: true };
  }, 60_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop()]);
  });

  it('says that its runtime is missing, and finds it when it is installed', async () => {
    await assign([task('lineCrossing')]);
    expect(await status()).toMatchObject({ state: 'missing', fault: null, msPerPicture: null, roomFor: null });
    await symlink(analystRuntime, join(site.data, 'analyst'));
    await waitFor('the analyst', async () => (await status()).state === 'running', 20_000);
    expect((await status()).models).toEqual([
      expect.objectContaining({ name: 'nanodet-g-320', licence: 'Apache-2.0', size: 320 }),
    ]);
  });

  it('[RS-03] rings when somebody crosses a line, with the picture in which it was seen', async () => {
    const [crossed] = await waitFor('a crossing', () => some(events('LineDetectorCrossed')), SOMEBODY_MS);
    expect(crossed).toMatchObject({
      phase: 'pulse',
      channelNo: 1,
      source: { task: 'task-lineCrossing' },
    });
    const { class: found = '', score, direction, box = '', region = '' } = crossed?.data ?? {};
    expect(['person', 'vehicle']).toContain(found);
    expect(['in', 'out']).toContain(direction);
    expect(Number(score)).toBeGreaterThanOrEqual(0.45);
    const [x = 0, , width = 0] = box.split(' ').map(Number);
    // It has passed the line by no more than its own width and a quarter of a second.
    const crossedAt = LINES[region as keyof typeof LINES];
    expect(Math.abs(x + width / 2 - crossedAt)).toBeLessThan(0.3);
    const media = await verifyMedia('pipe:0', Buffer.from(crossed?.picture ?? '', 'base64'));
    expect(media).toMatchObject({ codecs: ['mjpeg'], frames: 1, errors: '' });
  });

  it('[RS-03] reports who was in view, from when to when and where, with a small picture', async () => {
    const reported = () => site.events.filter((event): event is SightingReport => event.kind === 'sighting');
    const moved = ({ path: [first, ...more] }: SightingReport): boolean =>
      first !== undefined && more.some(([, x]) => Math.abs(x - first[1]) > 0.2);
    const [seen] = await waitFor('somebody who was seen', () => some(reported().filter(moved)), SOMEBODY_MS);
    expect(seen).toMatchObject({ channelNo: 1, objectClass: expect.stringMatching(/^(person|vehicle)$/) });
    const { at = 0, bestAt = 0, endAt = 0, path = [], picture = '' } = seen ?? {};
    expect(bestAt).toBeGreaterThanOrEqual(at);
    expect(endAt).toBeGreaterThanOrEqual(bestAt);
    expect(endAt - at).toBe(path.at(-1)?.[0]);
    expect(Math.abs(Date.now() - endAt)).toBeLessThan(SOMEBODY_MS + 60_000);
    const jpeg = Buffer.from(picture, 'base64');
    expect(jpeg.length).toBeLessThanOrEqual(20_000);
    const media = await verifyMedia('pipe:0', jpeg);
    expect(media).toMatchObject({ codecs: ['mjpeg'], frames: 1, errors: '' });
    // A spool keeps what the server would refuse for ever: it reads as it was written.
    expect(reported().map(readSiteEvent)).toEqual(reported());
  });

  it('tells what it costs', async () => {
    const { msPerPicture, usedPercent, capPercent, roomFor, channels } = await status();
    expect(msPerPicture).toBeGreaterThan(1);
    expect(usedPercent).toBeGreaterThan(0);
    expect(usedPercent).toBeLessThanOrEqual(capPercent);
    expect(roomFor).toBeGreaterThanOrEqual(0);
    expect(channels).toEqual([expect.objectContaining({ channelId: 'street', dropped: expect.any(Object) })]);
    expect(channels[0]?.picturesPerS).toBeGreaterThan(0);
  });

  it('is back within ten seconds when its analyst is killed, and recording loses nothing', async () => {
    const { pid } = await analyst();
    process.kill(pid, 'SIGKILL');
    const killedAt = Date.now();
    await waitFor(
      'the next analyst',
      async () => (await analyst()).pid !== pid && (await status()).state === 'running',
      10_000,
    );
    const before = events('LineDetectorCrossed').length;
    await waitFor('the next crossing', () => some(events('LineDetectorCrossed').slice(before)), SOMEBODY_MS);
    const { spans, gaps } = await site.ok('recordings', {
      channelId: 'street',
      quality: 1,
      startTime: killedAt - 5000,
      endTime: killedAt + 15_000,
    });
    expect([spans.length, gaps]).toEqual([1, []]);
  });

  it('ends an alarm that is open within two seconds when its task is withdrawn', async () => {
    await assign([task('intrusion')]);
    const open = () => events('IntrusionAlarm').at(-1)?.phase === 'start';
    await waitFor('an open alarm', () => Promise.resolve(open()), SOMEBODY_MS);
    const started = events('IntrusionAlarm').at(-1);
    await assign([]);
    const ended = await waitFor(
      'its end',
      () => some(events('IntrusionAlarm').filter(({ phase }) => phase === 'end')),
      2000,
    );
    expect(ended.at(-1)?.key).toBe(started?.key);
    await expect(analyst()).rejects.toThrow('nothing below');
    expect((await status()).state).toBe('idle');
  });

  it('[RS-03] keeps in which whole minutes it looked for what, and what was there, for recordings that may go sooner', async () => {
    await assign([task('lineCrossing')]);
    const folder = join(site.data, 'site', 'seen');
    const read = async (): Promise<Record<string, string>> => {
      const files = await readdir(folder).catch(() => []);
      const days = await Promise.all(files.map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8'))));
      return (days.at(-1) as Record<string, Record<string, string>> | undefined)?.['street'] ?? {};
    };
    const minutes = (street: Record<string, string>, kind: string) =>
      [...Buffer.from(street[kind] ?? '', 'base64')].filter((bits) => bits > 0).length;
    // The rest of the present minute, the whole next one, and the time until it is written.
    const street = await waitFor(
      'a whole minute',
      async () => {
        const known = await read();
        return minutes(known, 'looked:person') > 0 ? known : undefined;
      },
      150_000,
    );
    expect(Buffer.from(street['looked:person'] ?? '', 'base64')).toHaveLength(180);
    expect(minutes(street, 'looked:vehicle')).toBeGreaterThan(0);
    expect(minutes(street, 'looked:animal'), 'no task is about animals').toBe(0);
    expect(minutes(street, 'person') + minutes(street, 'vehicle')).toBeGreaterThan(0);
    expect(minutes(street, 'animal')).toBe(0);
  }, 180_000);
});

/** For `waitFor`: undefined while there is none. */
function some<T>(list: readonly T[]): Promise<readonly T[] | undefined> {
  return Promise.resolve(list.length > 0 ? list : undefined);
}
