// Proves that recorded files are playable, indexed, bounded in what they may lose, and never written over.
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyMedia } from '../../tests/harness/ffprobe.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDisk, type Disk } from '../recordings/disk.ts';
import { readIndex, RECORD_FLAG } from '../recordings/index-record.ts';
import { indexPath, mediaPath } from '../recordings/recording-path.ts';
import type { GrowingFile, RecordingsSink } from '../recordings/recordings-sink.ts';
import { RecordingsStore } from '../recordings/recordings-store.ts';
import { scanFolder } from '../recordings/scan-folder.ts';
import { Recorder } from './recorder.ts';
import { aacFormat, clip, feed, g711Format, syntheticUnits } from './synthetic-stream.fixture.ts';

const START_MS = Date.UTC(2026, 2, 29, 0, 59, 0);
/** Of conditions on a machine that is busy with other suites. */
const PATIENT = { timeout: 10_000 };
const KEY = { channelId: 'cam1', quality: 0 } as const;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recorder-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function setUp(disk: Disk = createDisk(), more: { queueMaxBytes?: number; monotonicMs?: () => number } = {}) {
  const store = new RecordingsStore({ disk, folder });
  const faults: unknown[] = [];
  const stored: number[] = [];
  const sink: RecordingsSink = {
    folderForWriting: () => folder,
    opened: (key, file) => store.opened(key, file),
    stored: (key, file) => {
      stored.push(file.endMs);
      store.stored(key, file);
    },
    closed: (key, file: GrowingFile) => store.closed(key, file),
    failed: () => undefined,
  };
  let runs = 0;
  const recorder = new Recorder({
    disk,
    key: KEY,
    sink,
    monotonicMs: () => performance.now(),
    wait: () => new Promise((resolve) => setImmediate(resolve)),
    newRunId: () => {
      runs += 1;
      return runs;
    },
    onFault: (error) => faults.push(error),
    ...more,
  });
  return { recorder, store, faults, stored };
}

test.each([
  ['pictures alone', null, ['h264']],
  ['AAC', aacFormat, ['h264', 'aac']],
  ['G.711', g711Format, ['h264', 'pcm_alaw']],
])('each file of a minute plays by itself: %s', async (_title, audio, codecs) => {
  const { recorder, store, faults } = setUp();
  feed(recorder, { startMs: START_MS, seconds: 130, audio });
  await recorder.close();
  expect(faults).toEqual([]);
  const files = store.files(KEY, 0, Infinity);
  expect(files.map((file) => Math.round((file.endMs - file.startMs) / 1000))).toEqual([60, 60, 10]);
  const first = files[1];
  const judgement = await verifyMedia(mediaPath(folder, KEY, first?.startMs ?? 0));
  expect(judgement).toMatchObject({ codecs, frames: 1200, errors: '' });
  expect(recorder.report().counters).toMatchObject({ picturesStored: 2600, filesStarted: 3, filesAbandoned: 0 });
});

test('a fragment begins at a keyframe or after half a second, and the index lists all of them', async () => {
  const { recorder, store } = setUp();
  feed(recorder, { startMs: START_MS, seconds: 10, audio: aacFormat });
  await recorder.close();
  const index = await store.readIndex(KEY, START_MS);
  expect(index?.header).toMatchObject({ audio: 'playable', audioRate: 16_000 });
  expect(index?.records.map((record) => record.durationTicks)).toEqual(new Array(20).fill(45_000));
  expect(index?.records.map((record) => record.flags & RECORD_FLAG.key)).toEqual(
    new Array(5).fill([1, 0, 0, 0]).flat(),
  );
  expect(index?.records.map((record) => record.wallMs)).toEqual(
    new Array(20).fill(0).map((_, n) => START_MS + n * 500),
  );
});

test('an extra keyframe between two regular ones does not hide what follows', async () => {
  const { recorder, store } = setUp();
  const units = [...syntheticUnits({ startMs: START_MS, seconds: 14 })];
  recorder.format(clip.format);
  // Asked for by a viewer 150 ms after the last one: from then on keyframes come a moment after the half seconds of the fragments.
  for (const [n, unit] of [...units.slice(0, 3), ...units.slice(40)].entries()) {
    recorder.accessUnit({ ...unit, dts: n * 4500, wallMs: START_MS + n * 50 });
  }
  await recorder.close();
  const records = (await store.readIndex(KEY, START_MS))?.records ?? [];
  const keys = records.filter(({ flags }) => flags & RECORD_FLAG.key).map(({ wallMs }) => wallMs - START_MS);
  expect(keys).toEqual([0, 2150, 4150, 6150, 8150, 10_150]);
  expect(Math.max(...records.map(({ durationTicks }) => durationTicks))).toBe(45_000);
});

test('index rows are written in groups: readers find them before, and after a kill they are rebuilt from the file', async () => {
  const { recorder, store, faults } = setUp();
  feed(recorder, { startMs: START_MS, seconds: 3 });
  await vi.waitFor(() => expect(recorder.report().counters.fragmentsStored).toBeGreaterThan(3), PATIENT);
  const { fragmentsStored } = recorder.report().counters;
  const onDisk = async () => readIndex(await readFile(indexPath(folder, KEY, START_MS)))?.records;
  expect(await onDisk()).toEqual([]);
  expect((await store.readIndex(KEY, START_MS))?.records).toHaveLength(fragmentsStored);

  const killed = await mkdtemp(join(tmpdir(), 'killed-'));
  await cp(folder, killed, { recursive: true });
  const { tracks } = await scanFolder({
    disk: createDisk(),
    folder: killed,
    onFault: (_path, fault) => faults.push(fault),
  });
  await rm(killed, { recursive: true });
  expect(tracks[0]?.entries[0]?.records).toBeGreaterThanOrEqual(fragmentsStored);

  for (const unit of syntheticUnits({ startMs: START_MS + 3000, seconds: 3, firstDts: 3 * 90_000 }))
    recorder.accessUnit(unit);
  await vi.waitFor(async () => expect((await onDisk())?.length).toBeGreaterThanOrEqual(8), PATIENT);
  await recorder.close();
  expect(await onDisk()).toEqual((await store.readIndex(KEY, START_MS))?.records);
  expect(faults).toEqual([]);
});

test('files of one run have the same init and continue each other', async () => {
  const { recorder, store } = setUp();
  feed(recorder, { startMs: START_MS, seconds: 70, audio: null, firstDts: 5e9 });
  await recorder.close();
  const [one, two] = await Promise.all(store.files(KEY, 0, Infinity).map((file) => store.readIndex(KEY, file.startMs)));
  expect(two?.header.runId).toBe(one?.header.runId);
  expect(two?.header.initHash).toBe(one?.header.initHash);
  expect((two?.header.baseTicks ?? 0) - (one?.header.baseTicks ?? 0)).toBe(60 * 90_000);
});

test('[FT-07] a clock set back never overwrites: the same hour recorded twice is there twice', async () => {
  const { recorder, store } = setUp();
  feed(recorder, { startMs: START_MS, seconds: 8 });
  for (const unit of syntheticUnits({ startMs: START_MS, seconds: 8, firstDts: 8 * 90_000 })) {
    recorder.accessUnit(unit);
  }
  await recorder.close();
  const files = store.files(KEY, 0, Infinity);
  expect(files.map((file) => file.startMs)).toEqual([START_MS, START_MS + 1]);
  expect(recorder.report().counters.picturesStored).toBe(320);
});

test('a short break stays in the file, a long one starts another', async () => {
  const { recorder, store } = setUp();
  feed(recorder, { startMs: START_MS, seconds: 8 });
  recorder.discontinuity('connected');
  for (const unit of syntheticUnits({ startMs: START_MS + 9000, seconds: 4, firstDts: 123 })) recorder.accessUnit(unit);
  recorder.discontinuity('connected');
  for (const unit of syntheticUnits({ startMs: START_MS + 60_000, seconds: 4 })) recorder.accessUnit(unit);
  await recorder.close();
  expect(store.files(KEY, 0, Infinity).map((file) => file.endMs - START_MS)).toEqual([13_000, 64_000]);
  const index = await store.readIndex(KEY, START_MS);
  const breaks = index?.records.filter((record) => record.flags & RECORD_FLAG.discontinuity);
  expect(breaks?.map((record) => record.wallMs - START_MS)).toEqual([0, 9000]);
  expect(store.spans(KEY, 0, 2e12)).toHaveLength(2);
});

test('the last frames of a silent camera reach the disk after a tick', async () => {
  const { recorder, store, stored } = setUp();
  recorder.format(clip.format);
  for (const unit of syntheticUnits({ startMs: START_MS, seconds: 0.3 })) recorder.accessUnit(unit);
  await expect
    .poll(() => {
      recorder.tick();
      return stored.length;
    }, PATIENT)
    .toBe(1);
  expect(store.files(KEY, 0, Infinity)).toHaveLength(1);
  await recorder.close();
});

test('a fragment completed during the last write is written too, even when the recorder closes at that moment', async () => {
  const closings: Promise<void>[] = [];
  let isFed = false;
  const { recorder, store } = setUp(createDisk(), {
    monotonicMs: () => {
      // The first question after the write, whose run ends with this turn.
      if (isFed) queueMicrotask(() => closings.push(recorder.close()));
      isFed = false;
      return performance.now();
    },
  });
  recorder.format(clip.format);
  for (const unit of syntheticUnits({ startMs: START_MS, seconds: 0.8 })) recorder.accessUnit(unit);
  isFed = true;
  await expect.poll(() => closings, PATIENT).toHaveLength(1);
  await Promise.all(closings);
  expect(recorder.report().counters.picturesStored).toBe(16);
  expect((await store.readIndex(KEY, START_MS))?.records).toHaveLength(2);
});

test('[FT-14] a failing write, sync or creation abandons the file and loses nothing; every index row verifies', async () => {
  const counts = { writeAll: 8, sync: 2, createFile: 2 } as const;
  for (const operation of ['writeAll', 'sync', 'createFile'] as const) {
    for (let n = 1; n <= counts[operation]; n += 1) {
      await rm(folder, { recursive: true, force: true });
      const { disk } = failingDisk(operation, n);
      const { recorder, store, faults } = setUp(disk);
      feed(recorder, { startMs: START_MS, seconds: 6, audio: aacFormat });
      const stored = (): number => {
        recorder.tick();
        return recorder.report().counters.picturesStored;
      };
      await expect.poll(stored, PATIENT).toBeGreaterThanOrEqual(110);
      await recorder.close();
      expect(faults).toHaveLength(1);
      expect(recorder.report().counters.picturesStored).toBe(120);
      for (const file of store.files(KEY, 0, Infinity)) await verify(store, file.startMs);
    }
  }
});

test('[FT-15] a stalled disk drops whole GOPs and says so', async () => {
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { disk } = failingDisk('sync', Infinity, gate);
  const { recorder, store } = setUp(disk, { queueMaxBytes: 8000 });
  feed(recorder, { startMs: START_MS, seconds: 60 });
  const { counters } = recorder.report();
  expect(counters.picturesDroppedQueueFull).toBeGreaterThan(0);
  release();
  await recorder.close();
  const names = await readdir(join(folder, 'cam1', '0', '20260329'));
  expect(names.length).toBeGreaterThan(0);
  for (const file of store.files(KEY, 0, Infinity)) await verify(store, file.startMs);
});

async function verify(store: RecordingsStore, startMs: number): Promise<void> {
  const media = await readFile(store.mediaPath(KEY, startMs));
  const index = readIndex(await readFile(store.mediaPath(KEY, startMs).replace('.mp4', '.idx')));
  for (const record of index?.records ?? []) {
    expect(media.toString('latin1', record.offset + 4, record.offset + 8)).toBe('prft');
    expect(record.offset + record.totalBytes).toBeLessThanOrEqual(media.length);
  }
}

/** The n-th call of one operation fails; with a gate every call waits for it. */
function failingDisk(operation: 'writeAll' | 'sync' | 'createFile', nth: number, gate?: Promise<void>) {
  const real = createDisk();
  let calls = 0;
  const attempt = async (name: string): Promise<void> => {
    if (name !== operation) return;
    await gate;
    calls += 1;
    if (calls === nth) throw Object.assign(new Error('planted'), { code: 'EIO' });
  };
  const disk: Disk = {
    ...real,
    createFile: async (path) => {
      await attempt('createFile');
      const file = await real.createFile(path);
      return {
        read: (buffer, at) => file.read(buffer, at),
        truncate: (length) => file.truncate(length),
        size: () => file.size(),
        close: () => file.close(),
        sync: async () => {
          await attempt('sync');
          await file.sync();
        },
        writeAll: async (buffers, at) => {
          await attempt('writeAll');
          await file.writeAll(buffers, at);
        },
      };
    },
  };
  return { disk };
}
