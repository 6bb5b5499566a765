// A site that copies what it records into Ceph's S3 gateway, removes it from its disk, and plays it from there.
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import type { DeviceAssignment, RecordOrder } from '@vedette/contract/site/site.ts';
import type { ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CephGateway, hasCeph } from '../harness/ceph-gateway.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const MINUTE_DAYS = 1 / 1440;
const NEVER: NonNullable<RecordOrder['plan']> = { days: [], holidays: [], timeZone: 'UTC' };

let ceph: CephGateway;
let site: SiteProcess;
let virtual: VirtualSite;
let camera: Omit<DeviceAssignment, 'channels'>;
let access: ObjectStoreAccess;

const settings = () => ({ ...site.settings, cameraNetworks: ['127.0.0.0/8'], objectStores: [access] });

async function order(record: Partial<RecordOrder>): Promise<void> {
  const cloud = { storeId: access.storeId, ownerId: 'o1', comboType: 3, days: 30 } as const;
  const channel = { channelNo: 1, channelId: 'camera1', backfillFrom: null, cloud };
  const whole = { ...channel, record: { quality: 0, retentionDays: 30, ...record } } as const;
  await site.ok('assign', { devices: [{ ...camera, channels: [whole] }], settings: settings() });
}

const recorded = async () =>
  (await site.ok('recordings', { channelId: 'camera1', quality: 0, startTime: 0, endTime: Date.now() })).spans;
const backlog = async () => (await site.ok('cloudBacklog', {})).channels[0];
const mediaFiles = async () =>
  (await readdir(site.recordings, { recursive: true })).filter((name) => name.endsWith('.mp4'));

async function get(path: string): Promise<{ status: number; body: Buffer }> {
  const sent = request({ socketPath: site.socketPath, path });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, body: Buffer.concat(parts) };
}

/** All that is recorded, as a viewer gets it. */
async function played(): Promise<Buffer> {
  const [first] = await recorded();
  const range = { startTime: first?.startTime ?? 0, endTime: first?.endTime ?? 1 };
  const ticket = await site.ticket({ kind: 'fragments', deviceSerial: camera.deviceSerial, channelNo: 1, range });
  const { status, body } = await get(`/media/fragments/${ticket}`);
  expect(status).toBe(200);
  return body;
}

describe.skipIf(!hasCeph)('a site with an object store', () => {
  beforeAll(async () => {
    [ceph, site, virtual] = await Promise.all([CephGateway.start(), SiteProcess.create(), startVirtualSite()]);
    access = await ceph.makeBucket('recordings');
    await site.serve();
    await site.start();
    const found = virtual.devices.find((device) => device.kind === 'camera');
    if (!found) throw new Error('no camera');
    const { target, user, password } = found;
    const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
    camera = { deviceSerial, driver, native, user, password, isOperatorAddress: true };
  }, 150_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop(), ceph?.stop()]);
  });

  it('[RS-01] plays from the store what is no longer on its disk, also after a kill', async () => {
    await order({});
    expect(await site.ok('storeProbe', { store: access })).toEqual({ step: null, reason: null });
    await waitFor('ten seconds of recordings', async () => {
      const [first] = await recorded();
      return first !== undefined && first.endTime - first.startTime > 10_000;
    });
    await order({ plan: NEVER });
    await waitFor('the copies', async () => {
      const now = await backlog();
      return now !== undefined && now.storedFiles > 0 && now.waitingFiles === 0;
    });
    const before = await played();
    await order({ plan: NEVER, retentionDays: MINUTE_DAYS / 12 });
    await waitFor('the disk to be free of them', async () => (await mediaFiles()).length === 0);
    const spans = await recorded();
    expect((await played()).equals(before)).toBe(true);
    await site.kill('SIGKILL');
    await site.start();
    await waitFor('the list', async () => (await recorded()).length > 0);
    expect(await recorded()).toEqual(spans);
    const after = await played();
    expect(after.equals(before)).toBe(true);
    expect(await verifyMedia('-', after)).toMatchObject({ errors: '' });
  }, 180_000);
});
