// The recording disks of two sites of different tenants, swapped: neither site lists, plays, writes or removes anything on the other's.
import { once } from 'node:events';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { RecordOrder } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CAMERA_ACCOUNT, type CountedCamera, startCountedCamera } from '../harness/counted-camera.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';

const RECORDED: RecordOrder = { quality: 0, retentionDays: 30 };

interface Tenant {
  readonly site: SiteProcess;
  readonly channelId: string;
  readonly deviceSerial: string;
  /** The camera is this channel for the site from now on. */
  readonly assign: (channelId: string, record: RecordOrder | null) => Promise<void>;
}

let camera: CountedCamera;
let ann: Tenant;
let bea: Tenant;

async function startTenant(channelId: string): Promise<Tenant> {
  const site = await SiteProcess.create();
  await site.serve();
  await site.start();
  const found = await site.ok('probe', { target: camera.url(), ...CAMERA_ACCOUNT, isOperator: true });
  const { deviceSerial, driver, native } = found;
  const assign = async (asked: string, record: RecordOrder | null) => {
    const channels = [{ channelNo: 1, channelId: asked, record, backfillFrom: null }];
    const device = { deviceSerial, driver, native, ...CAMERA_ACCOUNT, isOperatorAddress: true, channels };
    await site.ok('assign', { devices: [device], settings: site.settings });
  };
  await assign(channelId, RECORDED);
  return { site, channelId, deviceSerial, assign };
}

beforeAll(async () => {
  camera = await startCountedCamera();
  [ann, bea] = await Promise.all([startTenant('ann1'), startTenant('bea1')]);
  for (const tenant of [ann, bea]) {
    const { site, channelId } = tenant;
    await waitFor('five seconds of recording', async () => (await recordedMs(site, channelId)) > 5000, 60_000);
    await tenant.assign(channelId, null);
    await site.kill('SIGTERM');
  }
}, 120_000);
afterAll(async () => {
  await Promise.all([ann?.site.stop(), bea?.site.stop()]);
  await camera?.stop();
});

async function recordedMs(site: SiteProcess, channelId: string): Promise<number> {
  const range = { startTime: 0, endTime: Date.now() + 1000 };
  const { spans } = await site.ok('recordings', { channelId, quality: 0, ...range });
  return spans.reduce((sum, span) => sum + span.endTime - span.startTime, 0);
}

async function playedBytes({ site, deviceSerial }: Tenant): Promise<number> {
  const range = { startTime: 0, endTime: Date.now() };
  const ticket = await site.ticket({ kind: 'fragments', deviceSerial, channelNo: 1, range });
  const sent = request({ socketPath: site.socketPath, path: `/media/fragments/${ticket}` });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let bytes = 0;
  for await (const part of response) bytes += (part as Buffer).length;
  return response.statusCode === 200 ? bytes : 0;
}

/** Every file below a folder with its content. */
function contentOf(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), 'latin1')]));
}

type Swap = (own: string, foreign: string) => () => void;

const SWAPS: Readonly<Record<string, Swap>> = {
  'mounted in its place': (own, foreign) => {
    const aside = `${own}-aside`;
    const turn = (from: string, by: string, to: string): void => {
      renameSync(from, aside);
      renameSync(by, from);
      renameSync(aside, to);
    };
    turn(own, foreign, foreign);
    return () => turn(own, foreign, foreign);
  },
  'reached by a link in its place': (own, foreign) => {
    const aside = `${own}-aside`;
    renameSync(own, aside);
    symlinkSync(foreign, own);
    return () => {
      rmSync(own);
      renameSync(aside, own);
    };
  },
};

it.each(Object.keys(SWAPS))('[SE-77] a disk of another tenant %s is refused by its identity', async (how) => {
  const [own, foreign] = [ann.site.recordings, bea.site.recordings];
  const before = contentOf(foreign);
  const putBack = SWAPS[how]?.(own, foreign);
  try {
    await ann.site.start();
    await ann.assign('ann1', RECORDED);
    const storage = async () => (await ann.site.ok('health', {})).storage;
    await waitFor('the disk to be refused', async () => (await storage()).state === 'missing');
    expect(await storage()).toMatchObject({ state: 'missing', reason: 'notOurs' });
    const gaps = async () => {
      const range = { startTime: Date.now() - 60_000, endTime: Date.now() };
      return (await ann.site.ok('recordings', { channelId: 'ann1', quality: 0, ...range })).gaps;
    };
    // It received frames, and had nowhere to put them.
    await waitFor('a lost recording', async () => (await gaps()).some(({ reason }) => reason === 'disk'));
    // Not even for a server that names the other tenant's channel.
    await ann.assign('bea1', null);
    expect([await recordedMs(ann.site, 'bea1'), await playedBytes(ann)]).toEqual([0, 0]);
    expect(contentOf(own)).toEqual(before);
  } finally {
    await ann.site.kill('SIGTERM');
    putBack?.();
  }
  await ann.site.start();
  await ann.assign('ann1', null);
  await waitFor('its own disk', async () => (await recordedMs(ann.site, 'ann1')) > 5000);
  expect(await playedBytes(ann)).toBeGreaterThan(10_000);
  await ann.site.kill('SIGTERM');
}, 120_000);
