// From the frame to the file: what the analyst saw in one channel keeps its recordings, and those of another channel, looked at as long and of nothing, go.
import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: SiteProcess;
let virtual: VirtualSite;
let cameras: readonly DeviceAssignment[];
let since: number;

/** People and cars come by every few seconds; nobody is ever on the roof. */
const SCENES = { street: '西门街道', roof: 'Roof' } as const;
/** Five whole minutes that were looked at, and the minute after which all recordings are examined again. */
const GONE_WITHIN_MS = 480_000;

const CLASSES = ['person', 'vehicle'] as const;
const order: AnalysisOrder = {
  taskId: 'everywhere',
  algorithm: 'intrusion',
  regions: [
    {
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
    },
  ],
  classes: CLASSES,
  threshold: 10,
  minHeight: 0.02,
  maxHeight: 1,
  dwellS: 10,
  densityLevels: [3, 6, 10],
};

async function assigned(channelId: string, name: string): Promise<DeviceAssignment> {
  const found = virtual.devices.find((device) => device.name === name);
  if (!found) throw new Error(`no ${name}`);
  const { target, user, password } = found;
  const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
  const record = { quality: 1, retentionDays: 30, empty: { classes: CLASSES, days: 0 } } as const;
  const channels = [{ channelNo: 1, channelId, record, backfillFrom: null, analysis: [order] }];
  return { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels };
}

const filesOf = async (channelId: string): Promise<string[]> =>
  (await readdir(join(site.recordings, channelId), { recursive: true }))
    .filter((name) => name.endsWith('.mp4'))
    .toSorted();
const gapsOf = async (channelId: string) => {
  const range = { startTime: since, endTime: Date.now() };
  return (await site.ok('recordings', { channelId, quality: 1, ...range })).gaps;
};

describe.skipIf(!hasAnalystRuntime)('retention by what was seen', () => {
  beforeAll(async () => {
    [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
    await symlink(analystRuntime, join(site.data, 'analyst'));
    await site.serve();
    await site.start();
    cameras = await Promise.all(Object.entries(SCENES).map(([channelId, name]) => assigned(channelId, name)));
    since = Date.now();
    await site.ok('assign', { devices: cameras, settings: site.settings });
  }, 60_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop()]);
  });

  it(
    '[RS-03] removes the file in which the analyst saw nobody, and keeps those with a sighting',
    async () => {
      const [street, roof] = cameras;
      const before = await waitFor(
        'files',
        async () => {
          const known = await filesOf('roof').catch(() => []);
          return known.length > 1 ? known : undefined;
        },
        GONE_WITHIN_MS,
      );
      await waitFor(
        'a file of the roof to go',
        async () => {
          const now = new Set(await filesOf('roof'));
          return (
            before.some((name) => !now.has(name)) || (await gapsOf('roof')).some(({ reason }) => reason === 'empty')
          );
        },
        GONE_WITHIN_MS,
      );
      expect((await gapsOf('roof')).map(({ reason }) => reason)).toContain('empty');
      const sightings = site.events.filter((event): event is SightingReport => event.kind === 'sighting');
      const seenAt = sightings.filter(({ deviceSerial }) => deviceSerial === street?.deviceSerial);
      expect(seenAt.length).toBeGreaterThan(0);
      expect(sightings.filter(({ deviceSerial }) => deviceSerial === roof?.deviceSerial)).toEqual([]);
      // Each minute has somebody in it, or beside one that has.
      expect((await gapsOf('street')).filter(({ reason }) => reason === 'empty')).toEqual([]);
      for (const { at } of seenAt) {
        const range = { startTime: at - 500, endTime: at + 500 };
        const { spans } = await site.ok('recordings', { channelId: 'street', quality: 1, ...range });
        expect(spans, new Date(at).toISOString()).toHaveLength(1);
      }
    },
    2 * GONE_WITHIN_MS,
  );
});
