// Proves playback straight from the stored fragments with ffprobe and ffmpeg as judges, over HTTP as a player asks for it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyMedia, run } from '../../tests/harness/ffprobe.ts';
import { CodecWorker } from '../codec/codec-worker.ts';
import { fileRecorder, recordClip, recordWithSilences } from '../recorder/file-recorder.fixture.ts';
import { aacFormat, feed, g711Format, syntheticUnits } from '../recorder/synthetic-stream.fixture.ts';
import { createDisk } from '../recordings/disk.ts';
import { RecordingsStore } from '../recordings/recordings-store.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { Snapshots } from '../snapshot/snapshots.ts';
import { StreamHub } from '../stream/hub.ts';
import type { AudioFormat, StreamConsumer } from '../stream/stream.ts';
import { writeRecordedPlaylist } from './hls-playlist.ts';
import { createPlaybackEndpoint, type PlaybackEndpoint } from './playback-endpoint.ts';
import type { PlaybackGrant, PlaybackRefusal } from './playback-grant.ts';
import { planWindow } from './playback-plan.ts';

const START_MS = Date.UTC(2026, 2, 29, 0, 59, 0);
/** Of conditions on a machine that is busy with other suites. */
const PATIENT = { timeout: 10_000 };
const KEY = { channelId: 'cam1', quality: 0 } as const;
const TICKET = 'ticket_of_twenty_characters';
const disk = createDisk();

let folder: string;
let store: RecordingsStore;
let server: Server;
let endpoint: PlaybackEndpoint;
let grant: PlaybackGrant | PlaybackRefusal;
let ended: AbortController;
let origin: string;
/** No ffmpeg: stills are the camera's or one-sample MP4; media/snapshot proves the others. */
const codec = new CodecWorker({ start: null, clock: systemClock, decoders: 1 });
const hub = new StreamHub({ clock: systemClock, onConsumerFailure: () => undefined, lingerMs: 0 });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'playback-'));
  store = new RecordingsStore({ disk, folder });
  endpoint = createPlaybackEndpoint({
    disk,
    store: () => store,
    hub,
    monotonicMs: () => performance.now(),
    authorise: (ticket) => (ticket === TICKET ? grant : { allowed: false, status: 401, code: 1001 }),
    onFailure: (error) => {
      throw error;
    },
    playableAudio: (upstream) => upstream,
    recordedAac: null,
    snapshots: new Snapshots({
      codec,
      hub,
      disk,
      store: () => store,
      clock: systemClock,
      onDeviceFailure: () => undefined,
    }),
  });
  server = createServer((request, response) => {
    if (!endpoint.handle(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  ended = new AbortController();
});
afterEach(async () => {
  endpoint.close();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

function window(startTime: number, endTime: number): PlaybackGrant {
  return {
    allowed: true,
    sessionId: 'session1',
    kind: 'recorded',
    key: KEY,
    range: { startTime, endTime },
    upstream: null,
    deviceSnapshot: null,
    ended: ended.signal,
    hold: () => () => undefined,
  };
}

const newRecorder = () => fileRecorder({ disk, folder, store, key: KEY });

async function record(startMs: number, seconds: number, audio: AudioFormat | null): Promise<void> {
  await recordClip({ disk, folder, store, key: KEY }, { startMs, seconds, audio });
}

const playlistUrl = (): string => `${origin}/media/hls/${TICKET}/index.m3u8`;

test.each([
  ['AAC', aacFormat, ['h264', 'aac']],
  ['G.711, left out', g711Format, ['h264']],
  ['no sound', null, ['h264']],
])('[ST-07] HLS of 600 s plays from one end to the other: %s', async (_title, audio, codecs) => {
  await record(START_MS, 650, audio);
  grant = window(START_MS + 10_000, START_MS + 610_000);
  const judgement = await verifyMedia(playlistUrl());
  expect(judgement).toMatchObject({ codecs, frames: 12_000, errors: '' });
  expect(judgement.durationS).toBeCloseTo(600, 0);
  const answer = await fetch(playlistUrl());
  expect(answer.headers.get('cache-control')).toBe('no-store, private');
  const text = await answer.text();
  expect(text.match(/EXT-X-MAP/g)).toHaveLength(1);
  expect(text).not.toContain('DISCONTINUITY');
  expect(text.match(/#EXTINF:2\.00000/g)).toHaveLength(300);
});

test('ffmpeg extracts a range from the middle', async () => {
  await record(START_MS, 400, aacFormat);
  grant = window(START_MS, START_MS + 400_000);
  // -ss behind -i: ffmpeg 5.1 finds no picture after a seek in fMP4 HLS, its own included.
  const args = ['-v', 'error', '-i', playlistUrl(), '-ss', '300', '-t', '3', '-f', 'framecrc', '-an', '-'];
  const { stdout, stderr } = await run('ffmpeg', args);
  expect(stderr).toBe('');
  expect(stdout.split('\n').filter((line) => line.startsWith('0,'))).toHaveLength(60);
});

test('frames dropped within a segment do not shift those of another', async () => {
  await recordWithSilences({ disk, folder, store, key: KEY }, START_MS);
  grant = window(START_MS, START_MS + 20_000);
  const judgement = await verifyMedia(playlistUrl());
  expect(judgement).toMatchObject({ frames: 120, errors: '' });
  expect(judgement.durationS).toBeCloseTo(6, 0);
});

test('gaps and format changes are marked, and every part keeps its date', async () => {
  await record(START_MS, 20, aacFormat);
  await record(START_MS + 60_000, 20, aacFormat);
  await record(START_MS + 80_000, 20, null);
  grant = window(START_MS + 3000, START_MS + 300_000);
  const text = await (await fetch(playlistUrl())).text();
  expect(text.match(/EXT-X-DISCONTINUITY/g)).toHaveLength(2);
  expect(text.match(/EXT-X-MAP/g)).toHaveLength(2);
  expect(text).toContain('#EXT-X-PROGRAM-DATE-TIME:2026-03-29T00:59:02.000Z');
  expect(text).toContain('#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2026-03-29T01:00:00.000Z');
  // Sound that comes and goes is left out: MSE takes no track that was not there from the start.
  expect(await verifyMedia(playlistUrl())).toMatchObject({ codecs: ['h264'], frames: 18 * 20 + 400 + 400 });
});

test('a window as one progressive body plays, and `from` starts later', async () => {
  await record(START_MS, 70, aacFormat);
  grant = window(START_MS, START_MS + 70_000);
  const whole = await fetch(`${origin}/media/fragments/${TICKET}`);
  const body = Buffer.from(await whole.arrayBuffer());
  expect(await verifyMedia('-', body)).toMatchObject({ codecs: ['h264', 'aac'], frames: 1400, errors: '' });
  const late = await fetch(`${origin}/media/fragments/${TICKET}?from=${START_MS + 65_500}`);
  expect(late.headers.get('x-vedette-start')).toBe(String(START_MS + 64_000));
  expect((await verifyMedia('-', Buffer.from(await late.arrayBuffer()))).frames).toBe(120);
});

test.each([
  ['with sound', aacFormat],
  ['without', null],
])('[SE-31] an exact window serves no frame before or after it: %s', async (_title, audio) => {
  await record(START_MS, 30, audio);
  // Keyframes stand every 2 s, twenty pictures in a second: from 6 s, the first one in the window, to before 9.3 s.
  const exact = { startTime: START_MS + 5200, endTime: START_MS + 9300, isExact: true };
  grant = { ...window(0, 0), range: exact };
  expect(await verifyMedia(playlistUrl())).toMatchObject({ frames: 66, errors: '' });
  const text = await (await fetch(playlistUrl())).text();
  expect(text).toContain('#EXT-X-PROGRAM-DATE-TIME:2026-03-29T00:59:06.000Z');
  const lengths = [...text.matchAll(/#EXTINF:([\d.]+)/g)].map((match) => Number(match[1]));
  expect(lengths.reduce((sum, one) => sum + one, 0)).toBeCloseTo(3.3, 2);
  const whole = await fetch(`${origin}/media/fragments/${TICKET}`);
  expect((await verifyMedia('-', Buffer.from(await whole.arrayBuffer()))).frames).toBe(66);
  const status = async (path: string) => (await fetch(`${origin}/media/${path}`)).status;
  const { segments } = (await (await fetch(`${origin}/media/fragments/${TICKET}/index.json`)).json()) as {
    segments: { name: string; init: string }[];
  };
  const parts = await Promise.all(
    [`${segments[0]?.init}.mp4`, ...segments.map(({ name }) => `${name}.m4s`)].map(async (name) =>
      Buffer.from(await (await fetch(`${origin}/media/fragments/${TICKET}/${name}`)).arrayBuffer()),
    ),
  );
  expect((await verifyMedia('-', Buffer.concat(parts))).frames).toBe(66);
  // The GOP around its start, and the one after its end, by names that a wider window would have.
  const [first] = segments[0]?.name.split('-') ?? [];
  for (const name of [`${first}-8-4`, `${first}-20-4`])
    expect(await status(`fragments/${TICKET}/${name}.m4s`)).toBe(404);
  expect(await status(`hls/${TICKET}/${first}-8-4-0-v.m4s`)).toBe(404);
  // The picture of its first instant would be one from before it.
  expect(await status(`fragments/${TICKET}/still?at=${exact.startTime}`)).toBe(404);
  expect(await status(`fragments/${TICKET}/still?at=${START_MS + 8100}`)).toBe(200);
});

test('a ticket opens only its window; errors carry status and code', async () => {
  await record(START_MS, 70, null);
  grant = window(START_MS, START_MS + 4000);
  const get = async (path: string) => {
    const answer = await fetch(`${origin}${path}`);
    return [answer.status, ((await answer.json()) as { code: number }).code];
  };
  expect(await get('/media/hls/another_ticket_of_some_length/index.m3u8')).toEqual([401, 1001]);
  expect(await get(`/media/hls/${TICKET}/${START_MS}-80-4-0-v.m4s`)).toEqual([404, 1007]);
  expect(await get(`/media/hls/${TICKET}/${START_MS + 60_000}-v.mp4`)).toEqual([404, 1007]);
  expect((await fetch(`${origin}/media/hls/${TICKET}/${START_MS}-0-4-0-v.m4s`)).status).toBe(200);
  await store.remove(KEY, START_MS);
  expect(await get(`/media/hls/${TICKET}/index.m3u8`)).toEqual([404, 1007]);
  grant = { allowed: false, status: 403, code: 1017 };
  expect(await get(`/media/hls/${TICKET}/index.m3u8`)).toEqual([403, 1017]);
});

test('the file being recorded plays up to its newest synced fragment', async () => {
  const recorder = newRecorder();
  feed(recorder, { startMs: START_MS, seconds: 9, audio: null });
  const stored = (): number => {
    recorder.tick();
    return recorder.report().counters.picturesStored;
  };
  await expect.poll(stored, PATIENT).toBeGreaterThanOrEqual(170);
  grant = window(START_MS, START_MS + 600_000);
  expect((await verifyMedia(playlistUrl())).frames).toBeGreaterThanOrEqual(170);
  await recorder.close();
});

test('a playlist of 600 s is planned and written within a few ms', async () => {
  await record(START_MS, 620, aacFormat);
  const request = { store, key: KEY, startMs: START_MS + 5000, endMs: START_MS + 605_000 };
  const times: number[] = [];
  for (let n = 0; n < 30; n += 1) {
    const began = performance.now();
    const text = writeRecordedPlaylist({ ...(await planWindow(request)), hasAudio: true });
    times.push(performance.now() - began);
    expect(text.length).toBeGreaterThan(20_000);
  }
  const sorted = times.toSorted((a, b) => a - b);
  process.stdout.write(`playlist of 600 s: first ${times[0]?.toFixed(2)} ms, median ${sorted[15]?.toFixed(2)} ms\n`);
  expect(sorted[15]).toBeLessThan(50);
});

test('live HLS slides over the stream, and ends with its session', async () => {
  let consumer: StreamConsumer | null = null;
  grant = {
    ...window(0, 0),
    kind: 'live',
    range: null,
    upstream: {
      streamKey: 'cam1/0',
      open: (target) => {
        consumer = target;
        return { counters: {} as never, server: null, retryNow: () => undefined, close: () => Promise.resolve() };
      },
    },
  };
  const answer = fetch(playlistUrl());
  await expect.poll(() => consumer, PATIENT).not.toBeNull();
  const target = consumer as unknown as StreamConsumer;
  target.state({ state: 'playing', since: START_MS });
  feed(target, { startMs: START_MS, seconds: 21, audio: aacFormat });
  const text = await (await answer).text();
  expect(text.match(/live-\d+\.m4s/g)).toEqual(
    ['live-4', 'live-5', 'live-6', 'live-7', 'live-8', 'live-9'].map((one) => `${one}.m4s`),
  );
  const parts = ['init-1.mp4', ...(text.match(/live-\d+\.m4s/g) ?? [])];
  const bytes: Buffer[] = [];
  for (const part of parts) {
    bytes.push(Buffer.from(await (await fetch(`${origin}/media/hls/${TICKET}/${part}`)).arrayBuffer()));
  }
  expect(await verifyMedia('-', Buffer.concat(bytes))).toMatchObject({
    codecs: ['h264', 'aac'],
    frames: 240,
    errors: '',
  });
  // A player that joins begins near the newest end, by the playlist alone.
  const joined = ['-v', 'error', '-i', playlistUrl(), '-map', '0:v', '-map', '0:a', '-c', 'copy', '-t', '4'];
  const { bytes: watched, stderr } = await run('ffmpeg', [...joined, '-f', 'matroska', '-']);
  expect(stderr).toBe('');
  const seen = await verifyMedia('-', watched);
  expect(seen).toMatchObject({ codecs: ['h264', 'aac'], errors: '' });
  expect(seen.frames).toBeGreaterThanOrEqual(78);
  for (const unit of syntheticUnits({ startMs: START_MS + 21_000, seconds: 0.1 })) target.accessUnit(unit);
  ended.abort();
  await expect.poll(() => hub.streams().length, PATIENT).toBe(0);
});

test('[SE-33] cuts off a running response when the right ends, visibly incomplete', async () => {
  await record(START_MS, 600, null);
  grant = window(START_MS, START_MS + 600_000);
  const answer = await fetch(`${origin}/media/fragments/${TICKET}`);
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  ended.abort();
  const rest = async () => {
    for (;;) if ((await reader.read()).done) return;
  };
  await expect(rest()).rejects.toThrow('terminated');
});

test("a snapshot is the device's own, else the newest keyframe, else 1006", async () => {
  const base = { ...window(0, 0), kind: 'snapshot', range: null } as const;
  const get = () => fetch(`${origin}/media/snapshot/${TICKET}`);
  const jpeg = { contentType: 'image/jpeg', data: Buffer.from([0xff, 0xd8, 0xff, 0xd9]) };
  grant = { ...base, deviceSnapshot: () => Promise.resolve(jpeg) };
  const own = await get();
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  grant = {
    ...base,
    deviceSnapshot: () => Promise.reject(new Error('no')),
    upstream: {
      streamKey: 'cam1/1',
      open: (target) => {
        queueMicrotask(() => feed(target, { startMs: Date.now(), seconds: 0.1 }));
        return { counters: {} as never, server: null, retryNow: () => undefined, close: () => Promise.resolve() };
      },
    },
  };
  const drawn = await get();
  expect(drawn.headers.get('content-type')).toBe('video/mp4');
  expect(await verifyMedia('-', Buffer.from(await drawn.arrayBuffer()))).toMatchObject({ frames: 1, errors: '' });
  grant = { ...base, sessionId: 'session2' };
  const none = await get();
  expect([none.status, await none.json()]).toEqual([404, { code: 1006, message: 'functionNotSupported' }]);
});
