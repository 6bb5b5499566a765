// Exports of a real site under kills, a full disk and cancels: no corrupt file is offered, and frames are counted.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import type { ExportOrder, SiteExport } from '@vedette/contract/site/site-export.ts';
import { isManifestIntact } from '@vedette/media/export/export-manifest.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { burntTimes } from '../harness/burnt-times.ts';
import { counterBreaks, countedFrames } from '../harness/counted-frames.ts';
import { faultRounds } from '../harness/fault-rounds.ts';
import { run, verifyMedia } from '../harness/ffprobe.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { startVirtualSite, type VirtualDevice, type VirtualSite } from '../harness/virtual-site.ts';
import { waitFor } from '../harness/wait-for.ts';

const ROUNDS = faultRounds(3, 50);
const MORE_ROUNDS = 12;
const RECORDED_MS = 12_000;

let site: SiteProcess;
let virtual: VirtualSite;
let device: DeviceAssignment;
/** A stretch that is recorded whole. */
let from: number;
let to: number;
let tasks = 0;

beforeAll(async () => {
  [site, virtual] = await Promise.all([SiteProcess.create(), startVirtualSite()]);
  await site.serve();
  await site.start();
  device = await assignmentOf(virtual.devices.find((one) => one.kind === 'camera') as VirtualDevice);
  await site.ok('assign', { devices: [device], settings: site.settings });
  const span = await waitFor(
    'some seconds of recording',
    async () => {
      const range = { startTime: 0, endTime: Date.now() + 1000 };
      const { spans } = await site.ok('recordings', { channelId: 'camera1', quality: 0, ...range });
      return spans.find(({ startTime, endTime }) => endTime - startTime >= RECORDED_MS);
    },
    60_000,
  );
  [from, to] = [span.startTime + 1230, span.startTime + 9870];
});

afterAll(async () => {
  await Promise.all([site?.stop(), virtual?.stop()]);
});

async function assignmentOf({ target, user, password }: VirtualDevice): Promise<DeviceAssignment> {
  const { deviceSerial, driver, native } = await site.ok('probe', { target, user, password, isOperator: true });
  const record = { quality: 0, retentionDays: 30 } as const;
  const channels = [{ channelNo: 1, channelId: 'camera1', record, backfillFrom: null }];
  return { deviceSerial, driver, native, user, password, isOperatorAddress: true, channels };
}

function newOrder(ranges: readonly (readonly [number, number])[] = [[from, to]]): ExportOrder {
  tasks += 1;
  const names = { deviceSerial: device.deviceSerial, deviceName: 'Camera', channelNo: 1, channelName: 'Gate' };
  return {
    taskId: `task${tasks}`,
    createdAt: Date.now(),
    requestedBy: 'operator',
    name: '',
    version: '0.0.0',
    commit: 'test',
    items: ranges.map(([startTime, endTime]) => ({ ...names, channelId: 'camera1', quality: 0, startTime, endTime })),
  };
}

async function reportOf(taskId: string): Promise<SiteExport | undefined> {
  return (await site.ok('exportStatus', { taskIds: [taskId] })).exports[0];
}

async function settled(taskId: string): Promise<SiteExport> {
  return await waitFor(
    'the end of the export',
    async () => {
      const report = await reportOf(taskId);
      return report?.state === 'finished' || report?.state === 'failed' ? report : undefined;
    },
    30_000,
  );
}

interface Body {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** The connection was cut before the body was whole. */
  readonly isCut: boolean;
}

async function get(
  path: string,
  headers: Record<string, string> = {},
  stopAfter = Number.POSITIVE_INFINITY,
): Promise<Body> {
  const sent = request({ socketPath: site.socketPath, path, headers });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  let length = 0;
  let isCut = false;
  try {
    for await (const part of response) {
      parts.push(part as Buffer);
      length += (part as Buffer).length;
      if (length >= stopAfter) break;
    }
  } catch {
    isCut = true;
  }
  sent.destroy();
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts), isCut };
}

function ticketFor(exportId: string, ticketId = exportId): Promise<string> {
  return site.ticket({ kind: 'export', deviceSerial: device.deviceSerial, channelNo: 1, exportId, ticketId });
}

async function download(report: SiteExport): Promise<Buffer> {
  const { status, body } = await get(`/media/export/${await ticketFor(report.taskId)}`);
  expect(status).toBe(200);
  expect(createHash('sha256').update(body).digest('hex')).toBe(report.sha256);
  return body;
}

async function sizeOf(path: string): Promise<{ width: number; height: number }> {
  const size = ['-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=width,height', '-of', 'csv=p=0', path];
  const [width = 0, height = 0] = (await run('ffprobe', size)).stdout.split(',').map(Number);
  return { width, height };
}

/** Written to a file: the judge reads an index from where it likes. */
async function judged(bytes: Buffer, work: (path: string) => Promise<void>): Promise<void> {
  const path = join(tmpdir(), `export-${process.pid}-${tasks}.mp4`);
  await writeFile(path, bytes);
  await work(path).finally(() => rm(path, { force: true }));
}

it('[FT-42] contains exactly the frames of its range, counted by the number burned into them', async () => {
  const order = newOrder();
  await site.ok('exportStart', order);
  const report = await settled(order.taskId);
  expect(report).toMatchObject({ state: 'finished', gaps: [] });
  await judged(await download(report), async (path) => {
    const frames = await countedFrames(path);
    expect(counterBreaks(frames)).toEqual([]);
    expect(frames.length).toBe(report.files[0]?.pictures);
    const [first, last] = [frames[0], frames.at(-1)];
    const pictureMs = ((last?.wallMs ?? 0) - (first?.wallMs ?? 0)) / (frames.length - 1);
    // The clock in the picture is the camera's; the range is the site's: a network's way lies between.
    expect(Math.abs((first?.wallMs ?? 0) - from)).toBeLessThan(pictureMs + 250);
    // Stamps of arrival waver by a picture at either end.
    expect(Math.abs(frames.length - (to - from) / pictureMs)).toBeLessThanOrEqual(2);
    expect(await verifyMedia(path)).toMatchObject({ frames: frames.length, errors: '' });
  });
});

it('burns the second of the recording into each frame, and the name of the channel', async () => {
  const order = newOrder();
  const timeZone = 'Asia/Shanghai';
  const [item] = order.items.map((one) => ({ ...one, burnInZone: timeZone }));
  await site.ok('exportStart', { ...order, items: item ? [item] : [] });
  const report = await settled(order.taskId);
  expect(report).toMatchObject({ state: 'finished', gaps: [] });
  await judged(await download(report), async (path) => {
    const frames = await countedFrames(path);
    expect(counterBreaks(frames)).toEqual([]);
    expect(frames.length).toBe(report.files[0]?.pictures);
    const first = Math.floor(from / 1000) - 1;
    const seconds = Array.from({ length: 13 }, (_, at) => (first + at) * 1000);
    const { width, height } = await sizeOf(path);
    const shown = await burntTimes(path, { name: 'Gate', timeZone, width, height }, seconds);
    // The camera's own clock is burnt in too; between it and the site's lies the network.
    const inMiddle = frames.flatMap(({ wallMs }, at) =>
      Math.abs((wallMs % 1000) - 500) < 250 ? [[wallMs, at] as const] : [],
    );
    expect(inMiddle.length).toBeGreaterThan(20);
    for (const [wallMs, at] of inMiddle) expect(shown[at], `frame ${at}`).toBe(Math.floor(wallMs / 1000) * 1000);
  });
}, 60_000);

it('[FT-42] an interrupted download resumes by its range; the manifest is signed; other tickets get neither', async () => {
  const order = newOrder();
  await site.ok('exportStart', order);
  const report = await settled(order.taskId);
  const path = `/media/export/${await ticketFor(order.taskId)}`;
  const begun = await get(path, {}, 70_000);
  const etag = String(begun.headers.etag);
  const rest = await get(path, { range: `bytes=${begun.body.length}-`, 'if-range': etag });
  expect([rest.status, rest.headers['content-range']]).toEqual([
    206,
    `bytes ${begun.body.length}-${report.bytesTotal - 1}/${report.bytesTotal}`,
  ]);
  const whole = Buffer.concat([begun.body, rest.body]);
  expect(createHash('sha256').update(whole).digest('hex')).toBe(report.sha256);
  expect((await get(path, { range: 'bytes=5-9', 'if-range': '"another"' })).status).toBe(200);
  expect((await get(path, { range: `bytes=${report.bytesTotal}-` })).status).toBe(416);
  const manifest = (await get(`${path}/manifest.json`)).body.toString();
  expect(isManifestIntact(manifest)).toBe(true);
  expect(manifest).toContain(report.sha256);
  const range = { startTime: from, endTime: to };
  const other = await site.ticket({ kind: 'fragments', deviceSerial: device.deviceSerial, channelNo: 1, range });
  expect((await get(`/media/export/${other}`)).status).toBe(403);
  expect((await get('/media/export/no_such_ticket_anywhere')).status).toBe(401);
});

it('[FT-42] a kill at every tenth of the export leaves nothing corrupt: it restarts and verifies', async () => {
  // The same range many times over, so that a kill finds it under way.
  const ranges = Array.from({ length: 16 }, (_, at) => [from + at, to] as const);
  const first = newOrder(ranges);
  await site.ok('exportStart', first);
  const wanted = await settled(first.taskId);
  let killed = 0;
  // On a busy machine an export can be through before a test sees it under way.
  for (let round = 1; round <= ROUNDS || (killed === 0 && round <= MORE_ROUNDS); round += 1) {
    const order = newOrder(ranges);
    await site.ok('exportStart', order);
    const goal = 10 * (((round - 1) % 9) + 1);
    await waitFor(`${goal} %`, async () => ((await reportOf(order.taskId))?.percent ?? 0) >= goal, 20_000);
    await site.kill('SIGKILL');
    if ((await storedState(order.taskId)) !== 'finished') killed += 1;
    await site.start();
    const report = await settled(order.taskId);
    expect(report.files.map(({ sha256 }) => sha256)).toEqual(wanted.files.map(({ sha256 }) => sha256));
    await download(report);
    await site.ok('exportEnd', { taskIds: [order.taskId], code: 1007 });
  }
  process.stdout.write(`exports killed under way: ${killed} of ${ROUNDS}; corrupt files offered: 0\n`);
  expect(killed).toBeGreaterThan(0);
}, 240_000);

async function storedState(taskId: string): Promise<string> {
  const text = await readFile(join(site.recordings, '.exports', taskId, 'task.json'), 'utf8');
  return (JSON.parse(text) as { report: SiteExport }).report.state;
}

it('refuses a range without recordings with 1007', async () => {
  expect((await site.call('exportStart', newOrder([[1000, 2000]]))).code).toBe(1007);
});

it('[FT-42] a cancelled export ends its download within two seconds and leaves no file', async () => {
  const order = newOrder();
  await site.ok('exportStart', order);
  await settled(order.taskId);
  const path = `/media/export/${await ticketFor(order.taskId)}`;
  const sent = request({ socketPath: site.socketPath, path });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const closed = new Promise<void>((resolve) => {
    response.once('close', resolve);
    response.once('error', () => undefined);
  });
  // Nothing is read: the sender waits for room, with most of the file still to come.
  response.pause();
  const endedAt = performance.now();
  await site.ok('exportEnd', { taskIds: [order.taskId], code: 1017 });
  response.resume();
  await closed;
  expect(performance.now() - endedAt).toBeLessThan(2000);
  expect((await get(path)).status).toBe(404);
  expect(await readdir(join(site.recordings, '.exports'))).not.toContain(order.taskId);
});
