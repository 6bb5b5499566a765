// Edge recordings of a recorder: found, played through the site with counted frames, and backfilled after an outage.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { DeviceAssignment } from '@vedette/contract/site/site.ts';
import { VirtualDevice } from '../../virtual-devices/host/virtual-device.ts';
import { RecordingGenerator } from '../../virtual-devices/recordings/recording-generator.ts';
import { recordedSpans } from '../../virtual-devices/recordings/recorded-pattern.ts';
import { plainRecorder } from '../../virtual-devices/scenario.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { checkFolder, type Finding } from '@vedette/media/recordings/check/check-folder.ts';
import { NOTES_NAME, writeNote } from '@vedette/media/recordings/gaps/track-notes.ts';
import { countedFrames } from '../harness/counted-frames.ts';
import { SiteProcess } from '../harness/site-process.ts';
import { waitFor } from '../harness/wait-for.ts';

const CHANNELS = 64;
const recordingGenerator = new RecordingGenerator();
const clock = { wallMs: () => Date.now(), monotonicMs: () => performance.now() };
/** The recorder has recordings of its first channel from an hour ago until well after this test. */
const seed = seedWith(Date.now() - HOUR_MS, Date.now() + 300_000);
const key = { channelId: 'channel1', quality: 0 } as const;
/** A series of recordings with an outage that was long over when this test began. */
const outage = {
  channelId: 'outage',
  startMs: Math.floor((Date.now() - HOUR_MS / 3) / 10_000) * 10_000 + 3000,
  endMs: Math.floor(Date.now() / 10_000) * 10_000 - 600_000,
};

let site: SiteProcess;
let recorder: VirtualDevice;
let assignment: DeviceAssignment;

beforeAll(async () => {
  recorder = new VirtualDevice({
    plan: plainRecorder(CHANNELS, 'recorder-secret'),
    host: '127.0.0.1',
    httpPort: 0,
    rtspPort: 0,
    clock,
    utcOffset: () => 0,
    seed,
    recordingGenerator,
    report: (error) => {
      throw error;
    },
  });
  await recorder.start();
  site = await SiteProcess.create();
  await noteOutage();
  await site.serve();
  await site.start();
  const account = { user: 'admin', password: 'recorder-secret' };
  const found = await site.ok('probe', { target: recorder.target, ...account, isOperator: true });
  const { deviceSerial, driver, native } = found;
  const channels = found.channels.map(({ channelNo }) => ({
    channelNo,
    channelId: `channel${channelNo}`,
    record: null,
    backfillFrom: null,
  }));
  assignment = { deviceSerial, driver, native, ...account, isOperatorAddress: true, channels };
  await site.ok('assign', { devices: [assignment], settings: site.settings });
});

afterAll(async () => {
  await site?.stop();
  await recorder?.stop();
  await recordingGenerator.close();
});

/** As a site leaves it behind. */
async function noteOutage(): Promise<void> {
  const { channelId, startMs, endMs } = outage;
  for (const quality of ['0', '1']) {
    const folder = join(site.recordings, channelId, quality);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, NOTES_NAME), writeNote({ kind: 'cameraOffline', startMs, endMs }));
  }
}

function seedWith(from: number, to: number): number {
  for (let tried = 1; ; tried++) {
    const spans = recordedSpans(tried * 64 + 1, { from, to });
    if (spans.some((span) => span.from <= from && span.to >= to)) return tried;
  }
}

async function get(path: string): Promise<{ status: number; body: Buffer }> {
  const sent = request({ socketPath: site.socketPath, path });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return { status: response.statusCode ?? 0, body: Buffer.concat(parts) };
}

async function window(kind: 'hls' | 'fragments', channelNo: number, startTime: number, ms: number): Promise<string> {
  const range = { startTime, endTime: startTime + ms };
  const place = { deviceSerial: assignment.deviceSerial, channelNo };
  return `/media/${kind}/${await site.ticket({ kind, ...place, range, footage: 'device' })}`;
}

/** Wall clocks of the pictures, as they stand in their pixels. */
async function clocksOf(body: Buffer): Promise<number[]> {
  return (await countedFrames('-', body)).map(({ wallMs }) => wallMs);
}

function seconds(from: number, to: number): number[] {
  return Array.from({ length: Math.ceil((to - from) / 1000) }, (_, at) => from + at * 1000);
}

it('[LV-06] returns the ranges of every channel, and says which channel stores none', async () => {
  expect(assignment.channels).toHaveLength(CHANNELS);
  const range = { startTime: Date.now() - 30 * HOUR_MS, endTime: Date.now() - HOUR_MS };
  const { deviceSerial } = assignment;
  for (const channelNo of [1, CHANNELS]) {
    const { spans } = await site.ok('deviceRecordings', { deviceSerial, channelNo, ...range });
    const kept = recordedSpans(recorder.recordingSeed(channelNo), { from: range.startTime, to: range.endTime });
    expect(spans.map(({ startTime, endTime }) => [startTime, endTime])).toEqual(
      kept.map(({ from, to }) => [Math.max(from, range.startTime), Math.min(to, range.endTime)]),
    );
  }
  const days = await site.ok('deviceRecordingDays', { deviceSerial, channelNo: 1, ...range, timeZone: 'UTC' });
  expect(days.days).toContain(new Date(range.endTime).toISOString().slice(0, 10));
  expect(await site.call('deviceRecordings', { deviceSerial, channelNo: 99, ...range })).toMatchObject({ code: 1009 });
});

it('[ST-07] plays a window as one response: every second once, in order', async () => {
  const from = Math.floor((Date.now() - HOUR_MS / 2) / 10_000) * 10_000;
  const { status, body } = await get(await window('fragments', 1, from, 150_000));
  expect(status).toBe(200);
  const clocks = await clocksOf(body);
  expect(clocks).toEqual(seconds(from, from + 150_000));
});

it('[ST-07] serves a growing HLS playlist of what was fetched so far, and releases the device', async () => {
  const from = Math.floor((Date.now() - HOUR_MS / 2) / 10_000) * 10_000 + 300_000;
  const base = await window('hls', 1, from, 120_000);
  const parts = new Map<string, Buffer>();
  // As a player does: what follows is fetched as what is there is read.
  await waitFor('the whole playlist', async () => {
    const text = (await get(`${base}/index.m3u8`)).body.toString('utf8');
    const init = /EXT-X-MAP:URI="([^"]+)"/.exec(text)?.[1] ?? '';
    for (const name of [init, ...text.split('\n').filter((line) => line.endsWith('.m4s'))])
      parts.set(name, parts.get(name) ?? (await get(`${base}/${name}`)).body);
    return text.includes('#EXT-X-ENDLIST');
  });
  expect(await clocksOf(Buffer.concat([...parts.values()]))).toEqual(seconds(from, from + 120_000));
  await waitFor('no replay at the device', () => recorder.connectionCount === 0);
});

it('[ST-07] the segment index shows what is pending, and a later position is fetched first', async () => {
  const from = Math.floor((Date.now() - HOUR_MS / 2) / 10_000) * 10_000 - 900_000;
  const base = await window('fragments', 1, from, 600_000);
  const list = async (at: number) => {
    const { body } = await get(`${base}/index.json?at=${at}`);
    return JSON.parse(body.toString('utf8')) as {
      segments: { name: string; init: string; wallMs: number }[];
      awaited: { startMs: number; endMs: number }[];
    };
  };
  expect(await list(from + 400_000)).toEqual({ segments: [], awaited: [{ startMs: from, endMs: from + 720_000 }] });
  const there = await waitFor('what lies there', async () => {
    const found = await list(from + 400_000);
    return found.segments.some(({ wallMs }) => wallMs >= from + 440_000) && found;
  });
  expect(there.awaited[0]).toEqual({ startMs: from, endMs: from + 400_000 });
  const [first] = there.segments;
  expect(first?.wallMs).toBe(from + 400_000);
  const parts = await Promise.all([`${first?.init}.mp4`, `${first?.name}.m4s`].map((name) => get(`${base}/${name}`)));
  expect((await clocksOf(Buffer.concat(parts.map(({ body }) => body))))[0]).toBe(from + 400_000);
});

it('a recorder without disks stores nothing, and says so without an error', async () => {
  for (const disk of recorder.disks.list) disk.state = 'missing';
  const { deviceSerial } = assignment;
  // What was heard of a day of a channel is remembered: another one each time, until the driver asks for the list anew.
  let asked = 0;
  try {
    await waitFor('nothing to be held', async () => {
      asked += 1;
      const channelNo = 3 + (asked % (CHANNELS - 2));
      const endTime = Date.now() - Math.ceil(asked / (CHANNELS - 2)) * 24 * HOUR_MS;
      const range = { startTime: endTime - 24 * HOUR_MS, endTime };
      return (await site.ok('deviceRecordings', { deviceSerial, channelNo, ...range })).spans.length === 0;
    });
  } finally {
    for (const disk of recorder.disks.list) disk.state = 'ok';
  }
});

it('backfills an outage from the recorder and marks it', async () => {
  const record = { quality: 0, retentionDays: 30, fillsGaps: true } as const;
  const recorded = {
    ...assignment,
    channels: [{ ...assignment.channels[0], channelNo: 1, ...key, record, backfillFrom: null }],
  };
  await site.ok('assignOne', { deviceSerial: assignment.deviceSerial, assignment: recorded, deleteRecordings: [] });
  const beganMs = Date.now();
  const look = () => site.ok('recordings', { ...key, startTime: beganMs, endTime: Date.now() + 1000 });
  const isNew = async (sinceMs: number) => (await look()).spans.some(({ endTime }) => endTime > sinceMs + 2000);
  await waitFor('the first pictures', () => isNew(beganMs), 20_000);
  await recorder.stop();
  const awayMs = Date.now();
  await waitFor('an outage worth filling', () => Date.now() - awayMs > 8000, 10_000);
  await recorder.start();
  const backMs = Date.now();
  await waitFor('pictures again', () => isNew(backMs), 30_000);
  const filled = await waitFor(
    'the gap to be filled',
    async () => {
      const { spans, gaps } = await look();
      if (gaps.length > 0 || !spans.some(({ isFilled }) => isFilled)) throw new Error(JSON.stringify({ spans, gaps }));
      return spans;
    },
    60_000,
  );
  const mark = filled.find(({ isFilled }) => isFilled);
  expect(mark?.startTime).toBeLessThan(awayMs + 3000);
  expect(mark?.endTime).toBeGreaterThan(awayMs + 6000);
  // The pictures are those of then.
  const range = { startTime: (mark?.startTime ?? 0) + 1000, endTime: (mark?.endTime ?? 0) - 1000 };
  const ticket = await site.ticket({ kind: 'fragments', deviceSerial: assignment.deviceSerial, channelNo: 1, range });
  const clocks = await clocksOf((await get(`/media/fragments/${ticket}`)).body);
  for (const second of seconds(Math.ceil(range.startTime / 1000) * 1000, range.endTime))
    expect(clocks).toContain(second);
}, 150_000);

it('a site killed during a backfill fetches the rest, nothing twice, and its index and files agree', async () => {
  const { channelId, startMs, endMs } = outage;
  const record = { quality: 0, retentionDays: 30, fillsGaps: true, secondStream: true } as const;
  const channel = { channelNo: 1, channelId, record, backfillFrom: null };
  const { deviceSerial } = assignment;
  const ordered = { ...assignment, channels: [channel] };
  await site.ok('assignOne', { deviceSerial, assignment: ordered, deleteRecordings: [] });
  const look = (quality: 0 | 1) => site.ok('recordings', { channelId, quality, startTime: startMs, endTime: endMs });
  const filledMs = (spans: readonly { startTime: number; endTime: number; isFilled?: boolean | undefined }[]) =>
    spans.reduce((sum, span) => sum + (span.isFilled ? span.endTime - span.startTime : 0), 0);
  const before = await waitFor(
    'a part to be filled',
    async () => {
      const { spans } = await look(0);
      return filledMs(spans) >= 120_000 && spans;
    },
    60_000,
  );
  await site.kill();
  expect(filledMs(before)).toBeLessThan(endMs - startMs);
  await site.start();
  for (const quality of [0, 1] as const)
    await waitFor(
      `all of stream ${quality} to be filled`,
      async () => {
        const { spans, gaps } = await look(quality);
        if (gaps.length > 0) throw new Error(JSON.stringify({ spans, gaps }));
        return filledMs(spans) >= endMs - startMs - 1000;
      },
      60_000,
    );
  for (const quality of [0, 1] as const) {
    const range = { startTime: startMs, endTime: endMs };
    const ticket = await site.ticket({ kind: 'fragments', deviceSerial, channelNo: 1, quality, range });
    const clocks = await clocksOf((await get(`/media/fragments/${ticket}`)).body);
    const [first = 0] = clocks;
    expect(clocks).toEqual(seconds(first, endMs));
    expect(first).toBeLessThanOrEqual(startMs);
  }
  await site.kill('SIGTERM');
  const findings: Finding[] = [];
  const request = { disk: createDisk(), folder: site.recordings, isRepairing: false, isInUse: false };
  const summary = await checkFolder({ ...request, onFinding: (finding) => findings.push(finding) });
  expect(findings).toEqual([]);
  expect(summary.files).toBeGreaterThan(15);
}, 180_000);
