// The emptying of a disk: what happens to a file meanwhile, and what the other disk does, loses nothing and leaves nothing that is not listed.
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordClip } from '../../recorder/file-recorder.fixture.ts';
import { createDisk, type Disk } from '../disk.ts';
import { mediaPath, type TrackKey } from '../recording-path.ts';
import { RecordingsStore } from '../recordings-store.ts';
import { DiskEmptier } from './disk-emptier.ts';
import { FileClaims } from './file-claims.ts';
import { RecordingDisks } from './recording-disks.ts';

const KEY: TrackKey = { channelId: 'camera1', quality: 0 };
const OTHER: TrackKey = { channelId: 'camera2', quality: 0 };
const NOW_MS = Date.UTC(2026, 10, 27, 12);
const ROOMY = 1e12;
/** Pauses are there for real disks. */
const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 50, run) };

const real = createDisk();
let root: string;
let full: string;
let other: string;
let ends: (() => Promise<void>)[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'emptying-'));
  [full, other] = [join(root, 'full'), join(root, 'other')];
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
  await rm(root, { recursive: true, force: true });
});

const startOf = (minutesAgo: number): number => NOW_MS - minutesAgo * 60_000;

async function record(folder: string, minutesAgo: number, { key = KEY, seconds = 8 } = {}): Promise<void> {
  const store = new RecordingsStore({ disk: real, folder });
  await recordClip({ disk: real, folder, store, key }, { startMs: startOf(minutesAgo), seconds, audio: null });
}

async function site(disk: Disk = real, budgets = [ROOMY, ROOMY]) {
  const disks = [full, other].map((folder, at) => ({
    folder,
    budgetBytes: budgets[at] ?? ROOMY,
    isEmptying: folder === full,
  }));
  const log = { info: () => undefined, warn: () => undefined };
  const emptier: DiskEmptier = new DiskEmptier({
    disk,
    clock,
    recordings: () => recordings,
    claims: new FileClaims(),
    copies: { follow: async () => null, leave: async () => undefined },
    log,
  });
  const recordings: RecordingDisks = new RecordingDisks({
    disk,
    clock,
    disks,
    reserveBytes: 0,
    rules: { retentionDays: () => null, quotaBytes: () => null, isLocked: () => false },
    knownId: () => null,
    isKnownId: () => false,
    newId: () => `id${Math.random()}`,
    onTwice: (folder, twice) => emptier.settle(folder, twice),
    isMoving: (key, startMs) => emptier.isMoving(key, startMs),
    writer: { self: 'test', isGone: async () => true },
    wallMs: () => NOW_MS,
    monotonicMs: () => performance.now(),
    log,
  });
  await recordings.open();
  ends.push(() => recordings.close());
  emptier.start();
  ends.push(() => emptier.close());
  const becomes = async (state: string): Promise<void> =>
    await expect.poll(() => emptier.progressOf(full)?.state, { timeout: 20_000 }).toBe(state);
  return { recordings, becomes };
}

/** Media, indexes and unfinished copies below a folder. */
async function filesOf(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => /\d{10,}\./.test(name)).map((name) => name.replace(/^.*\//, ''));
}

/** Whenever a copy is about to get its name. */
function onArrival(run: (path: string) => Promise<void>): Disk {
  return {
    ...real,
    renameFile: async (from, to) => {
      await run(to);
      await real.renameFile(from, to);
    },
  };
}

it('moves everything, the newest first, and says that the disk is empty', async () => {
  for (const minutesAgo of [30, 20, 10]) await record(full, minutesAgo);
  const arrived: string[] = [];
  const { recordings, becomes } = await site(onArrival(async (path) => void arrived.push(path)));
  await becomes('done');
  expect(arrived).toEqual([10, 20, 30].map((minutesAgo) => mediaPath(other, KEY, startOf(minutesAgo))));
  expect(await filesOf(full)).toEqual([]);
  expect(recordings.store.filesOn(other)).toHaveLength(3);
  expect(recordings.store.usedBytesOf(full)).toBe(0);
});

it('leaves no copy of a file that was deleted while it was copied', async () => {
  await record(full, 20, { key: OTHER });
  await record(full, 10);
  const { recordings, becomes } = await site(
    onArrival(async (path) => {
      if (path.includes(KEY.channelId)) await recordings.removeChannel(KEY.channelId);
    }),
  );
  await becomes('done');
  expect(await filesOf(full)).toEqual([]);
  expect(await filesOf(other)).toEqual([`${startOf(20)}.idx`, `${startOf(20)}.mp4`]);
  expect(recordings.store.files(KEY, 0, NOW_MS)).toEqual([]);
});

it('lets retention remove no file while it is copied', async () => {
  await record(full, 10);
  const { recordings, becomes } = await site(
    onArrival(async () => {
      // Nothing may stay on either disk.
      await recordings.set(
        [full, other].map((folder) => ({ folder, budgetBytes: 1, isEmptying: folder === full })),
        0,
      );
      await recordings.check();
      expect(recordings.store.has(KEY, startOf(10))).toBe(true);
      await recordings.set(
        [full, other].map((folder) => ({ folder, budgetBytes: ROOMY, isEmptying: folder === full })),
        0,
      );
    }),
  );
  await becomes('done');
  expect(recordings.store.folderOf(KEY, startOf(10))).toBe(other);
  expect(existsSync(mediaPath(other, KEY, startOf(10)))).toBe(true);
});

it('replaces no other recording of the same name: both stay', async () => {
  await record(full, 10);
  await record(other, 10, { seconds: 4 });
  const both = [full, other].map((folder) => mediaPath(folder, KEY, startOf(10)));
  const before = await Promise.all(both.map((path) => readFile(path)));
  const { recordings, becomes } = await site();
  await becomes('waiting');
  expect(recordings.store.files(KEY, 0, NOW_MS)).toHaveLength(1);
  expect(await Promise.all(both.map((path) => readFile(path)))).toEqual(before);
});

it('takes an unfinished copy back where the other disk fails, and moves the file later', async () => {
  await record(full, 10);
  let failures = 0;
  const disk = onArrival(async () => {
    failures += 1;
    if (failures > 2) return;
    expect(await filesOf(other)).toEqual([`${startOf(10)}.idx`, `${startOf(10)}.mp4.moving`]);
    throw Object.assign(new Error('planted'), { code: 'EIO' });
  });
  const { recordings, becomes } = await site(disk);
  await expect.poll(() => failures, { timeout: 20_000 }).toBe(1);
  await expect.poll(() => filesOf(other)).toEqual([]);
  expect(recordings.store.folderOf(KEY, startOf(10))).toBe(full);
  await becomes('done');
  expect(await filesOf(other)).toEqual([`${startOf(10)}.idx`, `${startOf(10)}.mp4`]);
});

it('settles a file whose source could not be removed, without another start', async () => {
  await record(full, 10);
  let failures = 0;
  const removeFile: Disk['removeFile'] = async (path) => {
    if (path === mediaPath(full, KEY, startOf(10)) && failures < 2) {
      failures += 1;
      throw Object.assign(new Error('planted'), { code: 'EIO' });
    }
    await real.removeFile(path);
  };
  const { recordings, becomes } = await site({ ...real, removeFile });
  await becomes('done');
  expect(failures).toBe(2);
  expect(await filesOf(full)).toEqual([]);
  expect(recordings.store.folderOf(KEY, startOf(10))).toBe(other);
});

it('waits where the other disk has no room, and removes nothing for what is moved', async () => {
  await record(full, 10);
  await record(other, 20);
  const bytes = (await readFile(mediaPath(other, KEY, startOf(20)))).length;
  const { recordings, becomes } = await site(real, [ROOMY, bytes * 1.5]);
  await becomes('waiting');
  expect(recordings.store.filesOn(full)).toHaveLength(1);
  expect(recordings.store.filesOn(other)).toHaveLength(1);
});
