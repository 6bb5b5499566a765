// Several recording disks in one list: one that is away is counted for nothing and loses nothing, retention works on each alone, and a moved disk is recognised.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DiskOrder } from '@vedette/contract/site/site-disks.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordClip } from '../../recorder/file-recorder.fixture.ts';
import { createDisk } from '../disk.ts';
import { mediaPath, type TrackKey } from '../recording-path.ts';
import { RecordingDisks } from './recording-disks.ts';
import { RecordingsStore } from '../recordings-store.ts';
import type { RetentionRules } from '../retention.ts';

const KEY: TrackKey = { channelId: 'camera1', quality: 0 };
const NOW_MS = Date.UTC(2026, 10, 27, 12);
const ROOMY = 1e12;

const disk = createDisk();
const known = new Map<string, string>();
let root: string;
let one: string;
let two: string;
let open: RecordingDisks | null = null;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'disks-'));
  [one, two] = [join(root, 'one'), join(root, 'two')];
  known.clear();
});
afterEach(async () => {
  await open?.close();
  open = null;
  await rm(root, { recursive: true, force: true });
});

/** Eight seconds on a disk, so many minutes ago. */
async function record(folder: string, minutesAgo: number, key = KEY): Promise<void> {
  const store = new RecordingsStore({ disk, folder });
  await recordClip({ disk, folder, store, key }, { startMs: NOW_MS - minutesAgo * 60_000, seconds: 8, audio: null });
}

const isThere = (folder: string, minutesAgo: number): boolean =>
  existsSync(mediaPath(folder, KEY, NOW_MS - minutesAgo * 60_000));

async function site(rules: Partial<RetentionRules> = {}, budgets = [ROOMY, ROOMY]): Promise<RecordingDisks> {
  const disks: DiskOrder[] = [one, two].map((folder, at) => ({
    folder,
    budgetBytes: budgets[at] ?? ROOMY,
    isEmptying: false,
  }));
  let ids = 0;
  const made = new RecordingDisks({
    disk,
    clock: systemClock,
    disks,
    reserveBytes: 0,
    rules: { retentionDays: () => null, quotaBytes: () => null, isLocked: () => false, ...rules },
    knownId: (folder) => known.get(folder) ?? null,
    isKnownId: (id) => [...known.values()].includes(id),
    newId: () => {
      ids += 1;
      return `id${ids}-${Math.random()}`;
    },
    writer: { self: 'test', isGone: async () => true },
    wallMs: () => NOW_MS,
    monotonicMs: () => performance.now(),
    log: { info: () => undefined, warn: () => undefined },
  });
  open = made;
  await made.check();
  for (const { folder, storageId } of made.disks) if (storageId !== null) known.set(folder, storageId);
  return made;
}

const lengthS = (recordings: RecordingDisks): number =>
  recordings.store.spans(KEY, 0, NOW_MS).reduce((sum, span) => sum + span.endTime - span.startTime, 0) / 1000;

it('lists what all disks hold as one, and tells of one that is taken out what it held', async () => {
  await record(one, 30);
  await record(two, 20);
  const recordings = await site();
  expect(Math.round(lengthS(recordings))).toBe(16);
  await rename(one, `${one}-out`);
  await recordings.check();
  expect(recordings.disks.map(({ state }) => state)).toEqual(['missing', 'normal']);
  expect([recordings.state, recordings.isWritable]).toEqual(['normal', true]);
  expect(recordings.folderForWriting(KEY, NOW_MS)).toBe(two);
  expect([recordings.takesMore(one), recordings.takesMore(two)]).toEqual([false, true]);
  expect(Math.round(lengthS(recordings))).toBe(8);
  const away = recordings.store
    .gaps(KEY, { from: 0, to: NOW_MS }, NOW_MS)
    .filter(({ reason }) => reason === 'diskAway');
  expect(away.map(({ startTime, endTime }) => Math.round((endTime - startTime) / 1000))).toEqual([8]);
  const { usedBytes, disks = [] } = recordings.health();
  expect(disks[0]?.usedBytes).toBeGreaterThan(0);
  expect(usedBytes).toBe(disks[1]?.usedBytes);
  await rename(`${one}-out`, one);
  await recordings.check();
  expect(Math.round(lengthS(recordings))).toBe(16);
});

it('removes nothing of the others for a quota or budget that a disk that is away would have paid for', async () => {
  for (const minutesAgo of [50, 40]) await record(one, minutesAgo);
  for (const minutesAgo of [30, 20]) await record(two, minutesAgo);
  const before = await site();
  const quota = before.store.usedBytesOf(two) + 1000;
  await before.close();
  await rename(one, `${one}-out`);
  const recordings = await site({ quotaBytes: () => quota });
  await recordings.check();
  expect([isThere(two, 30), isThere(two, 20)]).toEqual([true, true]);
  await rename(`${one}-out`, one);
  for (let look = 0; look < 3; look += 1) await recordings.check();
  // The oldest of the channel, wherever they are.
  expect([isThere(one, 50), isThere(one, 40), isThere(two, 30), isThere(two, 20)]).toEqual([false, false, true, true]);
});

it('removes by size on each disk alone, and by age on all', async () => {
  for (const minutesAgo of [5 * 1440, 50, 40]) await record(one, minutesAgo);
  for (const minutesAgo of [4 * 1440, 60, 20]) await record(two, minutesAgo);
  const all = await site();
  const fileBytes = all.store.usedBytesOf(one) / 3;
  await all.close();
  await site({ retentionDays: () => 2 });
  expect([isThere(one, 5 * 1440), isThere(two, 4 * 1440)]).toEqual([false, false]);
  await open?.close();
  await site({}, [fileBytes * 1.2, ROOMY]);
  expect([isThere(one, 50), isThere(one, 40), isThere(two, 60), isThere(two, 20)]).toEqual([false, true, true, true]);
});

it('recognises its disks where each is mounted in the place of the other, and no foreign or empty one', async () => {
  await record(one, 30);
  await record(two, 20);
  await (await site()).close();
  await rename(one, `${one}-aside`);
  await rename(two, one);
  await rename(`${one}-aside`, two);
  const recordings = await site();
  expect(recordings.disks.map(({ state }) => state)).toEqual(['normal', 'normal']);
  expect(Math.round(lengthS(recordings))).toBe(16);
  expect([isThere(one, 20), isThere(two, 30)]).toEqual([true, true]);
  await recordings.close();
  await rm(two, { recursive: true });
  await mkdir(two);
  const without = await site();
  expect(without.disks.map(({ condition }) => condition.reason)).toEqual([null, 'absent']);
});

it('a disk comes and goes with the settings, without a pause for the others', async () => {
  await record(one, 30);
  await record(two, 20);
  const recordings = await site();
  const [first, second] = [one, two].map((folder) => ({ folder, budgetBytes: ROOMY, isEmptying: false }));
  if (!first || !second) throw new Error('two disks');
  await recordings.set([second], 0);
  await recordings.check();
  expect(recordings.folders).toEqual([two]);
  expect([Math.round(lengthS(recordings)), isThere(one, 30)]).toEqual([8, true]);
  await recordings.set([second, first], 0);
  expect(Math.round(lengthS(recordings))).toBe(16);
});
