// Proves recovery after kills at any byte, fast listing, spans and days over clock changes, and removal by age and size.
import { copyFile, mkdir, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyMedia } from '../../tests/harness/ffprobe.ts';
import { Recorder } from '../recorder/recorder.ts';
import { aacFormat, feed } from '../recorder/synthetic-stream.fixture.ts';
import { writeCatalogEntry } from './day-catalog.ts';
import { createDisk, type Disk } from './disk.ts';
import { readIndex } from './index-record.ts';
import { RetentionLocks } from './retention-locks.ts';
import { dayFolder, indexPath, mediaPath } from './recording-path.ts';
import { Recordings } from './recordings.ts';
import { RecordingsStore } from './recordings-store.ts';
import { repairFile } from './repair-file.ts';
import { scanFolder } from './scan-folder.ts';
import type { WriterFacts } from './writer-lease.ts';

const START_MS = Date.UTC(2026, 2, 29, 0, 59, 0);
const KEY = { channelId: 'cam1', quality: 0 } as const;
const disk = createDisk();
const silent = { info: () => undefined, warn: () => undefined };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recordings-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function openRecordings(
  more: {
    disk?: Disk;
    reserveBytes?: number;
    budgetBytes?: number;
    retentionDays?: number;
    now?: number;
    knownId?: string;
    quotaBytes?: number;
    locks?: RetentionLocks;
    writer?: WriterFacts;
    monotonicMs?: () => number;
  } = {},
) {
  return new Recordings({
    disk: more.disk ?? disk,
    folder,
    limits: { budgetBytes: more.budgetBytes ?? 1e12, reserveBytes: more.reserveBytes ?? 0 },
    knownId: more.knownId ?? null,
    newId: () => 'disk1',
    wallMs: () => more.now ?? START_MS + 1000,
    rules: {
      retentionDays: () => more.retentionDays ?? null,
      quotaBytes: () => more.quotaBytes ?? null,
      isLocked: (channelId, startMs, endMs) => more.locks?.isLocked(channelId, startMs, endMs) ?? false,
    },
    writer: more.writer ?? { self: 'this', isGone: () => Promise.resolve(true) },
    monotonicMs: more.monotonicMs ?? (() => performance.now()),
    log: silent,
  });
}

async function record(recordings: Recordings, startMs: number, seconds: number): Promise<void> {
  const recorder = new Recorder({
    disk,
    key: KEY,
    sink: recordings,
    monotonicMs: () => performance.now(),
    wait: () => Promise.resolve(),
    newRunId: () => startMs,
    onFault: (error) => {
      throw error;
    },
  });
  feed(recorder, { startMs, seconds, audio: aacFormat });
  await recorder.close();
}

test('[FT-17] a file torn at any byte keeps every whole fragment and is listed with its true end', async () => {
  const recordings = openRecordings();
  await recordings.check();
  await record(recordings, START_MS, 10);
  const media = mediaPath(folder, KEY, START_MS);
  const index = indexPath(folder, KEY, START_MS);
  await rm(`${dayFolder(folder, KEY, START_MS)}/catalog`);
  await copyFile(media, `${folder}/whole`);
  const whole = (await stat(media)).size;
  const wholeIndex = await readFile(index);
  const records = readIndex(wholeIndex)?.records ?? [];
  for (let cut = 1; cut < 40; cut += 1) {
    const size = Math.floor((whole * cut) / 40) + cut;
    await copyFile(`${folder}/whole`, media);
    await truncate(media, size);
    // The index is gone, short, or names more than there is.
    await writeFile(index, wholeIndex.subarray(0, [0, 100, wholeIndex.length][cut % 3]));
    if (cut % 3 === 0) await rm(index);
    const { entry } = await repairFile({ disk, folder, key: KEY, startMs: START_MS });
    const expected = records.filter((one) => one.offset + one.videoBytes <= size).length;
    expect(entry?.records ?? 0).toBe(expected);
    if (!entry) continue;
    expect(entry.endMs).toBeCloseTo(START_MS + expected * 500, 3);
    expect(readIndex(await readFile(index))?.records).toHaveLength(expected);
  }
  expect(await verifyMedia(media)).toMatchObject({ errors: '' });
});

test('[FT-20] garbage behind the last synced fragment is cut', async () => {
  const recordings = openRecordings();
  await recordings.check();
  await record(recordings, START_MS, 4);
  const media = mediaPath(folder, KEY, START_MS);
  const bytes = await readFile(media);
  const records = readIndex(await readFile(indexPath(folder, KEY, START_MS)))?.records ?? [];
  const last = records.at(-1);
  bytes.fill(0, (last?.offset ?? 0) + (last?.videoBytes ?? 0) - 200);
  await writeFile(media, bytes);
  await rm(indexPath(folder, KEY, START_MS));
  const { entry } = await repairFile({ disk, folder, key: KEY, startMs: START_MS });
  expect(entry?.records).toBe(7);
});

test('after a restart the list is the same, without reading any index', async () => {
  const before = openRecordings();
  await before.check();
  await record(before, START_MS, 130);
  await record(before, START_MS + 600_000, 10);
  const after = openRecordings({ knownId: 'disk1' });
  await after.check();
  expect(after.store.files(KEY, 0, 2e12)).toEqual(before.store.files(KEY, 0, 2e12));
  expect(after.store.usedBytes).toBe(before.store.usedBytes);
  expect(after.store.spans(KEY, 0, 2e12).map((one) => [one.startTime - START_MS, one.endTime - START_MS])).toEqual([
    [0, 130_000],
    [600_000, 610_000],
  ]);
});

test('100,000 files are listed in a few seconds', async () => {
  const started: number[] = [];
  for (let day = 0; day < 70; day += 1) {
    const first = Date.UTC(2026, 0, 1 + day);
    const path = dayFolder(folder, KEY, first);
    await mkdir(path, { recursive: true });
    const lines: Buffer[] = [];
    for (let minute = 0; minute < 1440; minute += 1) {
      const startMs = first + minute * 60_000;
      lines.push(writeCatalogEntry({ startMs, endMs: startMs + 60_000, mediaBytes: 1000, records: 120 }));
      started.push(startMs);
    }
    await writeFile(`${path}/catalog`, Buffer.concat(lines));
  }
  // Names alone are read; a fake listing spares the test a hundred thousand files.
  const byDay = new Map<string, number[]>();
  for (const startMs of started) {
    const path = dayFolder(folder, KEY, startMs);
    byDay.set(path, [...(byDay.get(path) ?? []), startMs]);
  }
  const fake = {
    ...disk,
    list: async (path: string) => {
      const known = byDay.get(path);
      if (!known) return disk.list(path);
      return known.flatMap((ms) => [`${ms}.mp4`, `${ms}.idx`]).map((name) => ({ name, isFolder: false }));
    },
  };
  const began = performance.now();
  const { tracks } = await scanFolder({ disk: fake, folder, onFault: () => undefined });
  const store = new RecordingsStore({ disk, folder });
  store.load(tracks);
  expect(tracks[0]?.entries).toHaveLength(100_800);
  expect(performance.now() - began).toBeLessThan(8000);
  expect(store.spans(KEY, 0, 2e12)).toHaveLength(1);
});

test('[GO-21] days follow the time zone, also where clocks change', async () => {
  const store = new RecordingsStore({ disk, folder });
  const entry = (startMs: number, endMs: number) => ({ startMs, endMs, mediaBytes: 1, records: 1 });
  // Madrid: 29 March 2026 has 23 hours; 23:30 on the 28th to 00:30 on the 29th local.
  const madrid = Date.UTC(2026, 2, 28, 22, 30);
  store.load([{ key: KEY, entries: [entry(madrid, madrid + 3_600_000)] }]);
  const all = { from: 0, to: 2e12 };
  expect(store.days(KEY, { ...all, timeZone: 'Europe/Madrid' })).toEqual(['2026-03-28', '2026-03-29']);
  expect(store.days(KEY, { ...all, timeZone: 'UTC' })).toEqual(['2026-03-28']);
  expect(store.days(KEY, { ...all, timeZone: 'Asia/Kathmandu' })).toEqual(['2026-03-29']);
  expect(() => store.days(KEY, { ...all, timeZone: 'Mars/Olympus' })).toThrow(RangeError);
});

test('[FT-12] removes the oldest recordings first when the budget is reached', async () => {
  const recordings = openRecordings({ budgetBytes: 150_000 });
  await recordings.check();
  for (let n = 0; n < 6; n += 1) await record(recordings, START_MS + n * 600_000, 20);
  const used = recordings.store.usedBytes;
  expect(used).toBeGreaterThan(150_000);
  await recordings.check();
  expect(recordings.store.usedBytes).toBeLessThanOrEqual(150_000);
  const left = recordings.store.files(KEY, 0, 2e12);
  expect(left.at(-1)?.startMs).toBe(START_MS + 5 * 600_000);
  expect(recordings.health()).toMatchObject({ state: 'normal', oldestAt: left[0]?.startMs });
  await expect(stat(mediaPath(folder, KEY, START_MS))).rejects.toThrow('ENOENT');
});

test('[FT-13] a disk filled by others stops recording with a reason; it resumes when space returns', async () => {
  let freeBytes = 1e9;
  const filled: Disk = { ...disk, space: () => Promise.resolve({ freeBytes, totalBytes: 1e12 }) };
  const recordings = openRecordings({ disk: filled, reserveBytes: 5e8 });
  await recordings.check();
  expect(recordings.state).toBe('normal');
  freeBytes = 1e8;
  await recordings.check();
  expect(recordings.health()).toMatchObject({ state: 'full', freeBytes: 1e8 });
  expect(() => recordings.folderForWriting()).toThrow('full');
  freeBytes = 1e9;
  await recordings.check();
  expect(recordings.folderForWriting()).toBe(folder);
});

test('removing the last file of a day removes its folder, but never a file in creation', async () => {
  const recordings = openRecordings();
  await recordings.check();
  await record(recordings, START_MS, 4);
  const day = dayFolder(folder, KEY, START_MS);
  await writeFile(`${day}/${START_MS + 5000}.mp4`, 'being made');
  await recordings.store.remove(KEY, START_MS);
  expect((await disk.list(day)).map((one) => one.name).sort()).toEqual([`${START_MS + 5000}.mp4`, 'catalog']);
  await record(recordings, START_MS + 60_000, 4);
  await rm(`${day}/${START_MS + 5000}.mp4`);
  const next = dayFolder(folder, KEY, START_MS + 60_000);
  await recordings.store.remove(KEY, START_MS + 60_000);
  expect(await disk.list(next)).toEqual([]);
});

test('removes recordings older than their retention, whatever the space', async () => {
  const recordings = openRecordings({ retentionDays: 3, now: START_MS + 3 * 86_400_000 + 300_000 });
  await recordings.check();
  await record(recordings, START_MS, 10);
  await record(recordings, START_MS + 600_000, 10);
  await recordings.check();
  expect(recordings.store.files(KEY, 0, 2e12).map((file) => file.startMs)).toEqual([START_MS + 600_000]);
});

test('[FT-16] an empty folder under a known name is refused, and nothing is written into it', async () => {
  const recordings = openRecordings({ knownId: 'disk1' });
  await recordings.check();
  expect(recordings.state).toBe('missing');
  expect(() => recordings.folderForWriting()).toThrow('missing');
  expect(await disk.list(folder)).toEqual([]);
});

test('[FT-16] a folder that is swapped while in use is refused until it is back', async () => {
  const recordings = openRecordings();
  await recordings.check();
  expect(recordings.state).toBe('normal');
  await rm(folder, { recursive: true });
  await mkdir(folder);
  // The inode may be taken again at once; then the missing identity tells.
  await recordings.check();
  recordings.failed(Object.assign(new Error('gone'), { code: 'ENOENT' }));
  await recordings.check();
  expect(recordings.state).toBe('missing');
  const identity = await open(`${folder}/vedette-storage.json`, 'w');
  await identity.writeFile('{"storageId":"disk1"}');
  await identity.close();
  await recordings.check();
  expect(recordings.state).toBe('normal');
});

test('removes all recordings of a deleted channel', async () => {
  const recordings = openRecordings();
  await recordings.check();
  await record(recordings, START_MS, 4);
  await recordings.store.removeChannel('cam1');
  expect(recordings.store.usedBytes).toBe(0);
  expect((await disk.list(folder)).map((one) => one.name).sort()).toEqual(['vedette-storage.json', 'vedette-writer-1']);
  await expect(recordings.store.removeChannel('../x')).rejects.toThrow(RangeError);
});
