// The site without server: keeps running, serves valid tickets, ends withdrawn ones.
import { once } from 'node:events';
import { request } from 'node:http';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { verifyMedia } from '../harness/ffprobe.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: SiteProcess;
let virtual: VirtualSite;
let device: DeviceAssignment;

beforeAll(async () => {
  [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
  await site.serve();
  await site.start();
  const camera = virtual.devices.find((one) => one.kind === 'camera') as VirtualDevice;
  device = await assignmentOf(camera);
  await site.ok('assign', { devices: [device], settings: site.settings });
});

afterAll(async () => {
  await Promise.all([site?.stop(), virtual?.stop()]);
});

async function assignmentOf({ target, user, password }: VirtualDevice): Promise<DeviceAssignment> {
  const found = await site.ok('probe', { target, user, password, isOperator: true });
  const record = { quality: 0, retentionDays: 30 } as const;
  const channels = [{ channelNo: 1, channelId: 'camera1', record, backfillFrom: null }];
  const { deviceSerial, driver, native } = found;
  return { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels };
}

async function recordedSince(sinceMs: number, ms: number): Promise<void> {
  await waitFor(
    `${ms} ms of recording`,
    async () => {
      const range = { startTime: sinceMs, endTime: Date.now() + 1000 };
      const { spans } = await site.ok('recordings', { channelId: 'camera1', quality: 0, ...range });
      return spans.some((span) => span.endTime - span.startTime >= ms);
    },
    20_000,
  );
}

async function get(path: string): Promise<{ status: number; type: string; body: Buffer }> {
  const sent = request({ socketPath: site.socketPath, path });
  sent.end();
  const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body: Buffer.concat(parts) };
}

it('[FT-23] records while the server is down, keeps its events, and delivers them afterwards', async () => {
  await recordedSince(0, 2000);
  site.acknowledges = false;
  await site.stopServing();
  const awayMs = Date.now();
  const kept = site.events.length;
  await waitFor('three seconds without a server', () => Date.now() - awayMs > 3000);
  await site.serve();
  await recordedSince(awayMs, 3000);
  // Unacknowledged events come again after every connect.
  expect(site.events.length).toBeGreaterThanOrEqual(kept);
  site.acknowledges = true;
});

it('[FT-17] after a kill it records again without a server, from its encrypted assignment', async () => {
  await site.kill('SIGKILL');
  await site.stopServing();
  const killedMs = Date.now();
  await site.start();
  await waitFor('five seconds alone', () => Date.now() - killedMs > 5000);
  await site.serve();
  await recordedSince(killedMs, 2000);
});

it('recorded HLS and fragments play with their tickets only', async () => {
  const endTime = Date.now();
  const range = { startTime: endTime - 60_000, endTime };
  const about = { deviceSerial: device.deviceSerial, channelNo: 1, range };
  const hls = await site.ticket({ kind: 'hls', ...about });
  const playlist = await get(`/media/hls/${hls}/index.m3u8`);
  expect([playlist.status, playlist.type]).toEqual([200, 'application/vnd.apple.mpegurl']);
  const first = /^[^#].*\.m4s$/m.exec(playlist.body.toString())?.[0];
  expect((await get(`/media/hls/${hls}/${first}`)).status).toBe(200);
  const fragments = await site.ticket({ kind: 'fragments', ...about });
  const whole = await get(`/media/fragments/${fragments}`);
  expect(await verifyMedia('-', whole.body)).toMatchObject({ errors: '' });
  expect((await get(`/media/snapshot/${fragments}`)).status).toBe(403);
  expect((await get('/media/hls/no_such_ticket_anywhere/index.m3u8')).status).toBe(401);
});

it('live HLS and the snapshot of a channel', async () => {
  const about = { deviceSerial: device.deviceSerial, channelNo: 1 };
  const live = await site.ticket({ kind: 'hls', ...about });
  const playlist = await get(`/media/hls/${live}/index.m3u8`);
  expect(playlist.body.toString()).toContain('live-0.m4s');
  const snapshot = await get(`/media/snapshot/${await site.ticket({ kind: 'snapshot', ...about })}`);
  expect([snapshot.status, snapshot.type]).toEqual([200, 'image/jpeg']);
});

it('[GO-08] a withdrawn ticket ends its live view and its playback within two seconds, with the code', async () => {
  const about = { deviceSerial: device.deviceSerial, channelNo: 1 };
  const range = { startTime: Date.now() - 30_000, endTime: Date.now() };
  const liveId = { ticketId: 'live-one' };
  const hlsId = { ticketId: 'hls-one' };
  const ticket = await site.ticket({ kind: 'live', ...about, ...liveId });
  const hls = await site.ticket({ kind: 'hls', ...about, range, ...hlsId });
  const socket = new WebSocket(`${await site.viewersUrl()}/media/live`);
  const notices: { type: string; code?: number }[] = [];
  let pictures = 0;
  socket.on('message', (data, isBinary) => {
    if (isBinary) pictures += 1;
    else notices.push(JSON.parse(String(data)) as { type: string });
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'subscribe', id: 1, ticket, audio: false }));
  await waitFor('live pictures', () => pictures > 5);
  expect((await get(`/media/hls/${hls}/index.m3u8`)).status).toBe(200);
  const withdrawn = performance.now();
  await site.ok('revoke', { ticketIds: ['live-one', 'hls-one'], code: 1017 });
  await waitFor('the end of the picture', () => notices.some((one) => one.type === 'end' && one.code === 1017));
  expect(performance.now() - withdrawn).toBeLessThan(2000);
  const refused = await get(`/media/hls/${hls}/index.m3u8`);
  expect([refused.status, JSON.parse(refused.body.toString())]).toEqual([403, { code: 1017, message: 'shareEnded' }]);
  socket.close();
});

it("distinguishes wrong credentials, a closed port and the product's own ports", async () => {
  const camera = virtual.devices.find((one) => one.kind === 'camera') as VirtualDevice;
  const probe = (target: string, password: string, isOperator: boolean) =>
    site.call('probe', { target, user: camera.user, password, isOperator });
  expect(await probe(camera.target, 'wrong', true)).toMatchObject({ code: 2316, data: { reason: 'deviceAuth' } });
  expect(await probe('http://127.0.0.1:1/onvif', '', true)).toMatchObject({
    code: 2317,
    data: { reason: 'unreachable' },
  });
  expect(await probe(camera.target, camera.password, false)).toMatchObject({
    code: 2316,
    data: { reason: 'refusedAddress' },
  });
  expect(await probe('not an address', '', true)).toMatchObject({ code: 1003 });
});

it('a changed password takes the device offline with its reason, the right one brings it back', async () => {
  const { deviceSerial } = device;
  const statusOf = (status: number, reason: string | null) =>
    waitFor(`status ${status}`, () => {
      const last = site.events.findLast((event) => event.kind === 'deviceStatus');
      return last?.status === status && last.reason === reason;
    });
  await site.ok('assignOne', { deviceSerial, assignment: { ...device, password: 'wrong' }, deleteRecordings: [] });
  await statusOf(0, 'deviceAuth');
  await site.ok('assignOne', { deviceSerial, assignment: device, deleteRecordings: [] });
  await statusOf(1, null);
  await recordedSince(Date.now(), 1500);
});

it('another storage folder is tested before use; the old one stays', async () => {
  const other = { ...site.settings, storage: { ...site.settings.storage, folder: `${site.folder}/other` } };
  const bad = { ...other, storage: { ...other.storage, folder: '/proc/nowhere' } };
  expect(await site.call('settings', bad)).toMatchObject({ code: 1003 });
  expect((await site.ok('health', {})).storage).toMatchObject({ folder: site.recordings, state: 'normal' });
  const { storage } = await site.ok('settings', other);
  expect(storage).toMatchObject({ folder: other.storage.folder, state: 'normal' });
  await recordedSince(Date.now(), 1000);
  await site.ok('settings', site.settings);
  const range = { startTime: 0, endTime: Date.now() };
  const { spans } = await site.ok('recordings', { channelId: 'camera1', quality: 0, ...range });
  expect(spans.length).toBeGreaterThan(0);
  await recordedSince(Date.now(), 1000);
});

it('backfills the past from the device, and plays it like other recordings', async () => {
  const [channel] = device.channels;
  if (!channel) throw new Error('no channel');
  const backfillFrom = Date.now() - 8 * 3_600_000;
  const assignment = { ...device, channels: [{ ...channel, channelId: 'camera1', backfillFrom }] };
  await site.ok('assignOne', { deviceSerial: device.deviceSerial, assignment, deleteRecordings: [] });
  const old = { startTime: backfillFrom, endTime: Date.now() - 600_000 };
  const spans = await waitFor(
    'an older span',
    async () => {
      const found = (await site.ok('recordings', { channelId: 'camera1', quality: 0, ...old })).spans;
      return found.some((span) => span.endTime - span.startTime > 120_000) && found;
    },
    40_000,
  );
  const span = spans.find((one) => one.endTime - one.startTime > 120_000);
  const range = { startTime: span?.startTime ?? 0, endTime: (span?.startTime ?? 0) + 60_000 };
  const ticket = await site.ticket({ kind: 'fragments', deviceSerial: device.deviceSerial, channelNo: 1, range });
  const { body } = await get(`/media/fragments/${ticket}`);
  expect(await verifyMedia('-', body)).toMatchObject({ frames: 60, errors: '' });
});

it('a removed device is deleted with its recordings when requested', async () => {
  await site.ok('assignOne', { deviceSerial: device.deviceSerial, assignment: null, deleteRecordings: ['camera1'] });
  const range = { startTime: 0, endTime: Date.now() };
  expect(await site.ok('recordings', { channelId: 'camera1', quality: 0, ...range })).toEqual({ spans: [], gaps: [] });
  expect((await site.ok('health', {})).storage.usedBytes).toBe(0);
});
