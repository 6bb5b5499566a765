// Codec worker in the running site: snapshots and thumbnails, H.264 transcodes, keyframe requests, and no orphaned program.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { LIVE_KIND, type LiveNotice } from '@vedette/contract/media-wire.ts';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { run } from '../harness/ffprobe.ts';
import { type GstreamerPeer, startGstreamer } from '../harness/gstreamer.ts';
import { processesBelow } from '../harness/processes.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

let site: SiteProcess;
let virtual: VirtualSite;
let gstreamer: GstreamerPeer;
let camera: DeviceAssignment;
let hevc: DeviceAssignment;
/** A ball flies about in its picture; it tells no events of its own. */
let ball: DeviceAssignment;

beforeAll(async () => {
  [site, virtual, gstreamer] = await Promise.all([SiteProcess.create(), startVirtualSite(), startGstreamer()]);
  await site.serve();
  await site.start();
  const found = virtual.devices.find((one) => one.kind === 'camera') as VirtualDevice;
  camera = await assignmentOf(found, 'codec1');
  hevc = await assignmentOf({ target: gstreamer.url('/h265'), user: '', password: '' }, 'codec2');
  ball = await assignmentOf({ target: gstreamer.url('/h264'), user: '', password: '' }, 'codec3');
  await site.ok('assign', { devices: [camera, hevc, ball], settings: site.settings });
});

afterAll(async () => {
  await Promise.all([site?.stop(), virtual?.stop(), gstreamer?.stop()]);
});

async function assignmentOf(
  { target, user, password }: Pick<VirtualDevice, 'target' | 'user' | 'password'>,
  channelId: string,
): Promise<DeviceAssignment> {
  const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
  const record = channelId === 'codec1' ? ({ quality: 0, retentionDays: 30 } as const) : null;
  const channels = [{ channelNo: 1, channelId, record, backfillFrom: null }];
  return { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels };
}

async function get(path: string): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
  const sent = request({ socketPath: site.socketPath, path });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) };
}

async function widthOf(jpeg: Buffer): Promise<string> {
  const asked = ['-v', 'error', '-show_entries', 'stream=codec_name,width', '-of', 'csv=p=0', '-'];
  return (await run('ffprobe', asked, jpeg)).stdout.trim();
}

/** Command lines of the programs that work for the site. */
async function programs(): Promise<string[]> {
  return (await processesBelow(site.pid)).map(({ command }) => command).filter((line) => line.includes('ffmpeg'));
}

async function stream(path: string): Promise<{ keyPictures: number; clients: number }> {
  const answer = await fetch(`${virtual.controlUrl}/state`);
  const { devices } = (await answer.json()) as {
    devices: { serial: string; streams: Record<string, { keyPictures: number; clients: number }> }[];
  };
  const found = devices.find(({ serial }) => serial === camera.deviceSerial)?.streams[path];
  if (!found) throw new Error(`no stream ${path}`);
  return found;
}

it('[LV-09] takes a snapshot from the recorded stream, in the requested width', async () => {
  const about = { deviceSerial: camera.deviceSerial, channelNo: 1 };
  await waitFor('the recording', async () => (await stream('/live/1/main')).clients === 1);
  const still = await waitFor('a decoded still', async () => {
    const ticket = await site.ticket({ kind: 'snapshot', ...about });
    const answer = await get(`/media/snapshot/${ticket}?width=320`);
    // Before the first picture is there the camera gives its own, as large as it has it.
    return (await widthOf(answer.body)) === 'mjpeg,320' && answer;
  });
  expect([still.status, still.headers['content-type']]).toEqual([200, 'image/jpeg']);
  expect((await programs()).length).toBeGreaterThan(0);
});

it("[LV-09] returns a thumbnail of a recorded time, and none outside the ticket's range", async () => {
  const about = { deviceSerial: camera.deviceSerial, channelNo: 1 };
  const endTime = Date.now();
  const range = { startTime: endTime - 60_000, endTime };
  const ticket = await site.ticket({ kind: 'fragments', ...about, range });
  const still = await waitFor('a stored key picture', async () => {
    const answer = await get(`/media/fragments/${ticket}/still?at=${endTime}&width=160`);
    return answer.status === 200 && answer;
  });
  expect(await widthOf(still.body)).toBe('mjpeg,160');
  expect(Math.abs(Number(still.headers['x-vedette-at']) - endTime)).toBeLessThan(15_000);
  expect((await get(`/media/fragments/${ticket}/still?at=${endTime + 1}`)).status).toBe(404);
  expect((await get(`/media/fragments/${ticket}/still`)).status).toBe(404);
  const snapshot = await site.ticket({ kind: 'snapshot', ...about, range });
  const again = await get(`/media/snapshot/${snapshot}?at=${endTime}&width=160`);
  expect(await widthOf(again.body)).toBe('mjpeg,160');
  expect(Number(again.headers['x-vedette-at'])).toBeGreaterThanOrEqual(Number(still.headers['x-vedette-at']));
});

it('[LV-05] a requested keyframe is sent by the camera at once', async () => {
  const about = { deviceSerial: camera.deviceSerial, channelNo: 1, quality: 0 as const };
  const before = await stream('/live/1/main');
  const asked = 5;
  for (let n = 1; n <= asked; n += 1) {
    await site.ok('keyframe', about);
    await waitFor('the key frame', async () => (await stream('/live/1/main')).keyPictures >= before.keyPictures + n);
  }
});

it('transcodes H.265 to H.264 for a viewer that needs it; secrets and addresses stay out of the command line', async () => {
  const ticket = await site.ticket({
    kind: 'live',
    deviceSerial: hevc.deviceSerial,
    channelNo: 1,
    transcode: 'h264',
  });
  const socket = new WebSocket(`${await site.viewersUrl()}/media/live`);
  const notices: LiveNotice[] = [];
  const video: Buffer[] = [];
  const kinds: readonly number[] = [LIVE_KIND.videoInit, LIVE_KIND.videoFragment];
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) notices.push(JSON.parse(String(data)) as LiveNotice);
    else if (kinds.includes(data[0] ?? -1)) video.push(data.subarray(12));
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'subscribe', id: 1, ticket, audio: false }));
  await waitFor('twenty pictures', () => video.length > 20, 30_000);
  const format = notices.find((notice) => notice.type === 'format');
  expect(format).toMatchObject({ video: { codec: 'h264', height: 360 } });
  const probed = await run(
    'ffprobe',
    ['-v', 'error', '-show_entries', 'stream=codec_name,height', '-'],
    Buffer.concat(video),
  );
  expect(probed.stdout).toMatch(/codec_name=h264\s+height=360/);
  for (const line of await programs()) {
    expect(line).not.toContain('rtsp:');
    expect(line).not.toContain(virtual.devices[0]?.password);
  }
  socket.close();
});

it('[DC-01] detects motion in software where the camera has none: off at first, in the drawn cells, and ended when disabled', async () => {
  const place = { deviceSerial: ball.deviceSerial, channelNo: 1, section: 'motion' as const };
  const reports = () =>
    site.events
      .filter((event) => event.kind === 'deviceEvent')
      .filter(({ deviceSerial, source }) => deviceSerial === ball.deviceSerial && source['detector'] === 'Vedette');
  expect((await site.ok('configSections', place)).sections).toEqual(['motion']);
  const off = await site.ok('configRead', place);
  expect(off.value).toMatchObject({ on: false, cells: { columns: 16, rows: 9 } });
  const value = { ...off.value, on: true, sensitivity: 95 };
  const on = await site.ok('configWrite', { ...place, version: off.version, value });
  expect(on.value).toEqual(value);
  await waitFor('motion to begin', () => reports().some(({ phase }) => phase === 'start'), 30_000);
  expect(reports()[0]).toMatchObject({ topic: 'tnsvdt:Alarm/MotionAlarm', channelNo: 1, phase: 'start' });
  await site.ok('configWrite', { ...place, version: on.version, value: off.value });
  await waitFor('motion to be over', () => reports().at(-1)?.phase === 'end');
  expect(
    reports()
      .map(({ phase }) => phase)
      .filter((phase, at, all) => phase === all[at - 1]),
  ).toEqual([]);
});

it('[FT-19] programs of a killed site end with it: no orphans', async () => {
  const pids = (await processesBelow(site.pid)).map(({ pid }) => pid);
  expect(pids.length).toBeGreaterThan(0);
  await site.kill('SIGKILL');
  const killedMs = performance.now();
  await waitFor('no program', () => pids.every((pid) => !isAlive(pid)));
  const goneMs = Math.round(performance.now() - killedMs);
  process.stdout.write(`codec: ${JSON.stringify({ programs: pids.length, orphans: 0, goneMs })}\n`);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}
