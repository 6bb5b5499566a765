// A site that copies what it records into Ceph's S3 gateway, removes it from its disk, and plays it from there.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { DeviceAssignment, RecordOrder, TicketGrant } from '@vedette/contract/site/site.ts';
import type { ObjectStoreAccess } from '@vedette/contract/site/site-cloud.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { S3Store } from '../../site/cloud-storage/s3-store.ts';
import { storeSender } from '../../site/cloud-storage/store-request.ts';
import { operatorPolicy } from '../../site/core/operator-policy.ts';
import { CephGateway, hasCeph } from '../harness/ceph-gateway.ts';
import { verifyMedia } from '../harness/ffprobe.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const MINUTE_DAYS = 1 / 1440;
const signal = AbortSignal.timeout(580_000);
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

async function ticketOf(more: Partial<TicketGrant> = {}): Promise<string> {
  const [first] = await recorded();
  const range = { startTime: first?.startTime ?? 0, endTime: first?.endTime ?? 1 };
  const { deviceSerial } = camera;
  return await site.ticket({ kind: 'fragments', deviceSerial, channelNo: 1, range, ...more });
}

/** All that is recorded, as a viewer gets it. */
async function played(): Promise<Buffer> {
  const { status, body } = await get(`/media/fragments/${await ticketOf()}`);
  expect(status).toBe(200);
  return body;
}

function storeOf(more: Partial<ObjectStoreAccess> = {}): S3Store {
  const send = storeSender(() => operatorPolicy(['127.0.0.0/8'], new Set()));
  return new S3Store({ access: { ...access, ...more }, wallMs: Date.now, send });
}

/** What `played` gives before any of it is in the store alone. */
let before: Buffer;

async function recordIntoStore(): Promise<void> {
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
  before = await played();
  await order({ plan: NEVER, retentionDays: MINUTE_DAYS / 12 });
  await waitFor('the disk to be free of them', async () => (await mediaFiles()).length === 0);
}

async function restart(): Promise<void> {
  await site.kill('SIGKILL');
  await site.start();
  await waitFor('the list', async () => (await recorded()).length > 0);
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
    await recordIntoStore();
  }, 240_000);
  afterAll(async () => {
    await Promise.all([site?.stop(), virtual?.stop(), ceph?.stop()]);
  });

  it('[RS-01] plays from the store what is no longer on its disk, also after a kill', async () => {
    const spans = await recorded();
    expect((await played()).equals(before)).toBe(true);
    await restart();
    expect(await recorded()).toEqual(spans);
    const after = await played();
    expect(after.equals(before)).toBe(true);
    expect(await verifyMedia('-', after)).toMatchObject({ errors: '' });
  }, 180_000);

  it('[RS-01] has its history again from the bucket alone, after its data folder was lost', async () => {
    const spans = await recorded();
    await site.kill('SIGKILL');
    // All but the key, which a backup has.
    for (const name of (await readdir(site.data)).filter((one) => one !== 'keys'))
      await rm(join(site.data, name), { recursive: true });
    const first = await restore();
    expect(first.restored).toBeGreaterThan(0);
    expect(first).toMatchObject({ present: 0, incomplete: 0 });
    expect(await restore()).toMatchObject({ restored: 0, present: first.restored, incomplete: 0 });
    await site.start();
    await order({ plan: NEVER, retentionDays: MINUTE_DAYS / 12 });
    await waitFor('the list', async () => (await recorded()).length > 0);
    expect(await recorded()).toEqual(spans);
    expect((await played()).equals(before)).toBe(true);
  }, 180_000);

  it('[RS-01] [EN-22] keeps objects of the server, which it believes after the store told them', async () => {
    const object = { storeId: access.storeId, ownerId: 'o1', name: 'camera1/snapshots/20261127/alarm' };
    const data = Buffer.from('sealed').toString('base64');
    expect(await site.ok('objectPut', { ...object, data })).toEqual({ reason: null });
    expect(await site.ok('objectGet', object)).toEqual({ data, reason: null });
    expect(await storeOf().list('vedette/o1/camera1/snapshots/', '', signal)).toHaveLength(1);
    expect(await site.ok('objectGet', { ...object, storeId: 'other' })).toEqual({ data: null, reason: 'gone' });
    expect(await site.ok('objectGet', { ...object, name: '../o2/x' })).toEqual({ data: null, reason: 'answer' });
    expect(await site.ok('objectDelete', object)).toEqual({ reason: null });
    expect(await site.ok('objectGet', object)).toEqual({ data: null, reason: null });
  }, 60_000);

  it('[SE-40] gives what is in the store by no former, foreign or altered ticket, and by no path', async () => {
    const isRefused = async (ticket: string) => (await get(`/media/fragments/${ticket}`)).status !== 200;
    const withdrawn = await ticketOf({ ticketId: 'withdrawn' });
    await site.ok('revoke', { ticketIds: ['withdrawn'], code: 2001 });
    const tickets = {
      withdrawn,
      over: await ticketOf({ until: Date.now() - 1 }),
      unused: await ticketOf({ firstUseBefore: Date.now() - 1 }),
      altered: (await ticketOf()).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      otherKind: await ticketOf({ kind: 'live', range: null }),
      otherChannel: await ticketOf({ channelNo: 2 }),
      otherDevice: await ticketOf({ deviceSerial: 'FOREIGN0' }),
      otherTime: await ticketOf({ range: { startTime: 1000, endTime: 61_000 } }),
    };
    for (const [what, ticket] of Object.entries(tickets)) expect([what, await isRefused(ticket)]).toEqual([what, true]);
    const [key = ''] = await storeOf().list('vedette/o1/', '', signal);
    const good = await ticketOf();
    const ways = [key, `media/${key}`, `media/fragments/${key}`, `media/fragments/${good}/../${key}`];
    for (const way of [...ways, ...ways.map((path) => path.replaceAll('/', '%2f').replaceAll('..', '%2e%2e'))]) {
      expect([way, (await get(`/${way}`)).status]).not.toEqual([way, 200]);
    }
    expect((await get(`/media/fragments/${good}`)).body.equals(before)).toBe(true);
  }, 60_000);

  it('[SE-40] stores what only its own keys read, and reads nothing from the prefix of another account', async () => {
    const keys = await storeOf().list('vedette/o1/', '', signal);
    for (const path of ['', ...keys]) expect((await fetch(`${ceph.endpoint}/recordings/${path}`)).status).toBe(403);
    const other = { accessKey: 'OTHER', secretKey: 'other-secret' };
    await ceph.addUser(other);
    await expect(storeOf(other).list('vedette/o1/', '', signal)).rejects.toMatchObject({ reason: 'denied' });
    await expect(storeOf(other).head(keys[0] ?? '', signal)).rejects.toMatchObject({ reason: 'denied' });
    // Somebody changed on the disk where the copies are said to be.
    const foreign = Buffer.from('of another account. ');
    for (const key of keys.filter((one) => one.endsWith('.mp4'))) {
      const bytes = (await storeOf().head(key, signal))?.bytes ?? 0;
      await storeOf().put(key.replace('/o1/', '/o2/'), Buffer.alloc(bytes, foreign), signal);
    }
    const list = join(site.recordings, await copiesFile());
    const text = await readFile(list, 'utf8');
    for (const root of ['vedette/o2', 'vedette/o1/../o2', 'vedette/o1/%2e%2e/o2', '../recordings/vedette/o2']) {
      await writeFile(list, text.replaceAll('"vedette/o1"', JSON.stringify(root)));
      await restart();
      const { body } = await get(`/media/fragments/${await ticketOf()}`).catch(() => ({ body: Buffer.alloc(0) }));
      expect([root, body.includes(foreign)]).toEqual([root, false]);
    }
    await writeFile(list, text);
    await restart();
    expect((await played()).equals(before)).toBe(true);
  }, 120_000);
});

/** As an operator does, by the command line. */
async function restore(): Promise<{ restored: number; present: number; incomplete: number }> {
  const { storeId, endpoint, bucket, accessKey, secretKey, region, prefix } = access;
  const named = {
    recordings: site.recordings,
    store: storeId,
    endpoint,
    bucket,
    region,
    prefix,
    'access-key': accessKey,
  };
  const args = Object.entries(named).flatMap(([name, value]) => [`--${name}`, value]);
  const tool = fileURLToPath(new URL('../../site/main-restore.ts', import.meta.url));
  const env = { ...process.env, VEDETTE_STORE_SECRET: secretKey };
  const { stdout } = await promisify(execFile)(process.execPath, [tool, ...args], { env });
  return JSON.parse(stdout) as { restored: number; present: number; incomplete: number };
}

async function copiesFile(): Promise<string> {
  const found = (await readdir(site.recordings, { recursive: true })).find((name) => name.endsWith('/copies'));
  if (found === undefined) throw new Error('no list of copies');
  return found;
}
