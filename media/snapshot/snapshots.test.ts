// Proves stills with the real ffmpeg: of any recorded instant and of now, made once for many askers, the camera left in peace.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { run } from '../../tests/harness/ffprobe.ts';
import { FakeClock } from '@vedette/foundation/time/fake-clock.fake.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { CodecWorker } from '../codec/codec-worker.ts';
import { findFfmpeg, ffmpegStarter } from '../codec/ffmpeg-process.ts';
import { recordClip } from '../recorder/file-recorder.fixture.ts';
import { feed } from '../recorder/synthetic-stream.fixture.ts';
import { createDisk } from '../recordings/disk.ts';
import { RecordingsStore } from '../recordings/recordings-store.ts';
import { createSourceCounters } from '../stream/source-counters.ts';
import type { OpenSource } from '../stream/source.ts';
import { StreamHub } from '../stream/hub.ts';
import { SnapshotCache } from './snapshot-cache.ts';
import { Snapshots } from './snapshots.ts';

const START_MS = Date.UTC(2026, 2, 29, 0, 59, 0);
const KEY = { channelId: 'cam1', quality: 0 } as const;
const PATH = process.env['PATH'] ?? '';
const disk = createDisk();

let folder: string;
let store: RecordingsStore;
let codec: CodecWorker;
let hub: StreamHub;
let stills: Snapshots;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stills-'));
  store = new RecordingsStore({ disk, folder });
  const ffmpeg = findFfmpeg('ffmpeg', PATH) ?? 'ffmpeg';
  codec = new CodecWorker({ start: ffmpegStarter(ffmpeg, PATH), clock: systemClock, decoders: 1 });
  hub = new StreamHub({ clock: systemClock, onConsumerFailure: () => undefined, lingerMs: 0 });
  stills = new Snapshots({
    codec,
    hub,
    disk,
    store: () => store,
    clock: systemClock,
    onDeviceFailure: () => undefined,
  });
});
afterEach(async () => {
  codec.close();
  await hub.close();
  await rm(folder, { recursive: true, force: true });
});

async function record(startMs: number, seconds: number): Promise<void> {
  await recordClip({ disk, folder, store, key: KEY }, { startMs, seconds });
}

async function widthOf(jpeg: Buffer): Promise<string> {
  const asked = ['-v', 'error', '-show_entries', 'stream=codec_name,width', '-of', 'csv=p=0', '-'];
  return (await run('ffprobe', asked, jpeg)).stdout.trim();
}

test('[LV-09] serves the keyframe of a recorded instant as JPEG, decoded once', async () => {
  await record(START_MS, 12);
  const at = (ms: number) => stills.at(KEY, START_MS + ms, 160);
  const [first, again, later] = await Promise.all([at(5000), at(4100), at(6000)]);
  expect(first).toMatchObject({ contentType: 'image/jpeg', wallMs: START_MS + 4000 });
  expect(await widthOf(first?.data ?? Buffer.alloc(0))).toBe('mjpeg,160');
  expect(again?.data).toBe(first?.data);
  expect(later).toMatchObject({ wallMs: START_MS + 6000 });
});

test('gives none where nothing was recorded, and the first frame just before a file', async () => {
  await record(START_MS, 4);
  expect(await stills.at(KEY, START_MS + 60_000, 160)).toBeNull();
  expect(await stills.at(KEY, START_MS - 5000, 160)).toBeNull();
  expect(await stills.at(KEY, START_MS - 500, 160)).toMatchObject({ wallMs: START_MS });
});

test('[LV-09] a live snapshot comes from the connected stream: no request to the camera, one decode for twenty clients', async () => {
  let asked = 0;
  const deviceSnapshot = () => {
    asked += 1;
    return Promise.resolve(null);
  };
  const open: OpenSource = (consumer) => {
    // A source emits nothing before the caller has it.
    queueMicrotask(() => feed(consumer, { startMs: Date.now(), seconds: 1 }));
    const counters = createSourceCounters();
    return { counters, server: null, retryNow: () => undefined, close: () => Promise.resolve() };
  };
  const upstream = { streamKey: 'cam1/1/0', open };
  const lease = hub.acquire(upstream.streamKey, open);
  await Promise.resolve();
  const pictures = await Promise.all(
    Array.from({ length: 20 }, () => stills.now({ subject: 'cam1', upstream, deviceSnapshot }, 640)),
  );
  lease.release();
  expect(pictures[0]).toMatchObject({ contentType: 'image/jpeg' });
  expect(new Set(pictures.map((picture) => picture?.data)).size).toBe(1);
  expect(asked).toBe(0);
});

test('snapshots are cached within size and age limits, least recently used evicted first', async () => {
  const clock = new FakeClock();
  const cache = new SnapshotCache({ maxBytes: 25, maxAgeMs: 1000, monotonicMs: () => clock.monotonicMs() });
  let made = 0;
  const take = (key: string) =>
    cache.take(key, () => {
      made += 1;
      return Promise.resolve({ data: Buffer.alloc(10) });
    });
  await take('a');
  await take('b');
  await take('a');
  await take('c');
  expect([made, cache.bytes]).toEqual([3, 20]);
  await take('a');
  expect(made).toBe(3);
  await take('b');
  expect(made).toBe(4);
  clock.advance(1001);
  await take('b');
  expect(made).toBe(5);
});
