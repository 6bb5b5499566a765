// From the frame to the file: what the analyst saw in one channel keeps its recordings, and those of another channel, looked at as long and of nothing, go.
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { AnalysisOrder } from '@vedette/contract/site/site-analysis.ts';
import type { SightingReport } from '@vedette/contract/site/site-sighting.ts';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analystRuntime, hasAnalystRuntime } from '../harness/analyst-runtime.ts';
import { CAMERA_ACCOUNT, type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: SiteProcess;
let cameras: Readonly<Record<Channel, CountedCamera>>;
let devices: Readonly<Record<Channel, DeviceAssignment>>;
let since: number;

/** At noon people and cars come by every few seconds; on the roof nobody is at night. */
type Channel = 'street' | 'roof';
/** Two whole minutes, the second of them looked at, and what a busy machine takes. */
const LOOKED_WITHIN_MS = 240_000;
/** All recordings are examined again each minute. */
const GONE_WITHIN_MS = 120_000;
/** A recording goes if it was looked at a minute before and after it too. */
const MINUTES_AROUND = 5;

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

async function assigned(channelId: Channel): Promise<DeviceAssignment> {
  const { target } = cameras[channelId].device;
  const account = { ...CAMERA_ACCOUNT, isOperatorAddress: true };
  const { deviceSerial, driver, native } = await site.ok('probe', { target, ...CAMERA_ACCOUNT, isOperator: true });
  const record = { quality: 1, retentionDays: 30, empty: { classes: CLASSES, days: 0 } } as const;
  const channels = [{ channelNo: 1, channelId, record, backfillFrom: null, analysis: [order] }];
  return { deviceSerial, driver, native, ...account, channels };
}

const assignAll = () => site.ok('assign', { devices: Object.values(devices), settings: site.settings });
const gapsOf = async (channelId: Channel) => {
  const range = { startTime: since, endTime: Date.now() };
  const { gaps } = await site.ok('recordings', { channelId, quality: 1, ...range });
  return gaps.filter(({ reason }) => reason === 'empty');
};

/** What the site keeps of each minute: by file of a day and channel the bits of its minutes, in base64. */
type SeenFile = Record<string, Partial<Record<ObjectClass | `looked:${ObjectClass}`, string>>>;
const seenFolder = () => join(site.data, 'site', 'seen');
async function seenFiles(): Promise<ReadonlyMap<string, SeenFile>> {
  const names = await readdir(seenFolder()).catch(() => []);
  const read = async (name: string) =>
    [name, JSON.parse(await readFile(join(seenFolder(), name), 'utf8')) as SeenFile] as const;
  return new Map(await Promise.all(names.filter((name) => name.endsWith('.json')).map(read)));
}
const hasBit = (text: string | undefined): boolean => Buffer.from(text ?? '', 'base64').some((byte) => byte !== 0);

/** As if the minutes around each had been looked at too: who was seen stays as it was. */
async function lookAround(): Promise<void> {
  for (const [name, channels] of await seenFiles()) {
    for (const bits of Object.values(channels)) {
      for (const one of CLASSES) bits[`looked:${one}`] = widened(bits[`looked:${one}`]);
    }
    await writeFile(join(seenFolder(), name), JSON.stringify(channels));
  }
}

function widened(text: string | undefined): string {
  const bits = Buffer.from(text ?? '', 'base64');
  const wider = Buffer.alloc(bits.length);
  for (let minute = 0; minute < bits.length * 8; minute += 1) {
    if (((bits[minute >> 3] ?? 0) & (1 << (minute & 7))) === 0) continue;
    const last = Math.min(bits.length * 8 - 1, minute + MINUTES_AROUND);
    for (let near = Math.max(0, minute - MINUTES_AROUND); near <= last; near += 1)
      wider[near >> 3] = (wider[near >> 3] ?? 0) | (1 << (near & 7));
  }
  return wider.toString('base64');
}

describe.skipIf(!hasAnalystRuntime)('retention by what was seen', () => {
  beforeAll(async () => {
    const [created, street, roof] = await Promise.all([
      SiteProcess.create(),
      startCountedCamera({ scene: 'street', localHour: 12 }),
      startCountedCamera({ scene: 'roof', localHour: 1 }),
    ]);
    site = created;
    cameras = { street, roof };
    await symlink(analystRuntime, join(site.data, 'analyst'));
    await site.serve();
    await site.start();
    devices = { street: await assigned('street'), roof: await assigned('roof') };
    since = Date.now();
    await assignAll();
  }, 60_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), ...Object.values(cameras ?? {}).map((camera) => camera.stop())]);
  });

  it(
    '[RS-03] removes the file in which the analyst saw nobody, and keeps those with a sighting',
    async () => {
      await waitFor(
        'a whole minute in which both were looked at, and somebody was seen in the street',
        async () =>
          [...(await seenFiles()).values()].some(
            ({ street, roof }) =>
              CLASSES.every((one) => hasBit(street?.[`looked:${one}`]) && hasBit(roof?.[`looked:${one}`])) &&
              CLASSES.some((one) => hasBit(street?.[one])),
          ),
        LOOKED_WITHIN_MS,
      );
      await site.kill('SIGTERM');
      await lookAround();
      await site.start();
      await assignAll();
      await waitFor('a file of the roof to go', async () => (await gapsOf('roof')).length > 0, GONE_WITHIN_MS);
      const sightings = site.events.filter((event): event is SightingReport => event.kind === 'sighting');
      const of = (channel: Channel) =>
        sightings.filter(({ deviceSerial }) => deviceSerial === devices[channel].deviceSerial);
      expect(of('roof')).toEqual([]);
      // Each minute has somebody in it, or beside one that has.
      expect(await gapsOf('street')).toEqual([]);
      expect(of('street').length).toBeGreaterThan(0);
      for (const { at } of of('street')) {
        const range = { startTime: at - 500, endTime: at + 500 };
        const { spans } = await site.ok('recordings', { channelId: 'street', quality: 1, ...range });
        expect(spans, new Date(at).toISOString()).toHaveLength(1);
      }
    },
    LOOKED_WITHIN_MS + 2 * GONE_WITHIN_MS,
  );
});
