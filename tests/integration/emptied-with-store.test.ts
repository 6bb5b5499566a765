// A recording disk with copies in an object store is emptied: what is on it and what is in the store alone goes along, no copy is made or deleted for it, and all plays.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeviceAssignment, SiteSettings } from '@vedette/contract/site/site.ts';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { DiskEmptier } from '@vedette/media/recordings/disks/disk-emptier.ts';
import { RecordingDisks } from '@vedette/media/recordings/disks/recording-disks.ts';
import { mediaPath, type TrackKey } from '@vedette/media/recordings/recording-path.ts';
import { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordClip } from '../../media/recorder/file-recorder.fixture.ts';
import { COPIES_NAME } from '../../site/cloud-storage/copies.ts';
import { CloudStorage } from '../../site/cloud-storage/cloud-storage.ts';
import { Bucket } from '../harness/bucket.ts';
import { waitFor } from '../harness/wait-for.ts';

const KEY: TrackKey = { channelId: 'camera1', quality: 0 };
const FILES = 6;
/** Of them, in the store alone. */
const REMOTE = 2;
const FILE_MS = 8000;
const START_MS = Date.now() - 3_600_000;
const startOf = (file: number): number => START_MS + file * FILE_MS;
const quiet = { info: () => undefined, warn: () => undefined };
/** Pauses are there for real disks. */
const clock = { ...systemClock, after: (ms: number, run: () => void) => systemClock.after(ms / 20, run) };

let bucket: Bucket;
let root: string;
let full: string;
let other: string;
const ends: (() => Promise<void>)[] = [];
let known: Map<string, string>;

beforeEach(async () => {
  bucket = await Bucket.start();
  root = await mkdtemp(join(tmpdir(), 'emptied-'));
  [full, other] = [join(root, 'full'), join(root, 'other')];
  known = new Map();
});
afterEach(async () => {
  await end();
  await bucket.stop();
  await rm(root, { recursive: true, force: true });
});

async function end(): Promise<void> {
  for (const one of ends.splice(0).toReversed()) await one();
}

const settings = (): SiteSettings => ({
  storage: { folder: full, budgetBytes: 1e12, reserveBytes: 0 },
  cameraNetworks: ['127.0.0.0/8'],
  objectStores: [
    {
      storeId: 's1',
      endpoint: `http://127.0.0.1:${bucket.port}`,
      region: bucket.region,
      bucket: bucket.name,
      prefix: 'vedette',
      isPathStyle: true,
      ...bucket.keys,
    },
  ],
});

/** As a site composes them. */
async function open(isEmptying: boolean) {
  const disk = createDisk();
  const report = (): void => undefined;
  const cloud = new CloudStorage({
    disk,
    clock,
    folder: root,
    ownPorts: () => new Set(),
    settings,
    report,
    log: quiet,
  });
  const emptier: DiskEmptier = new DiskEmptier({
    disk,
    clock,
    recordings: () => recordings,
    claims: cloud.claims,
    copies: cloud.moves,
    log: quiet,
  });
  const recordings: RecordingDisks = new RecordingDisks({
    disk: cloud.disk,
    clock,
    disks: [full, other].map((folder) => ({ folder, budgetBytes: 1e12, isEmptying: isEmptying && folder === full })),
    reserveBytes: 0,
    rules: {
      retentionDays: () => null,
      quotaBytes: () => null,
      isLocked: () => false,
      copies: cloud.rulesOf(() => recordings.store),
    },
    knownId: (folder) => known.get(folder) ?? null,
    isKnownId: (id) => [...known.values()].includes(id),
    newId: () => `id${Math.random()}`,
    onTwice: (folder, twice) => emptier.settle(folder, twice),
    isMoving: (key, startMs) => emptier.isMoving(key, startMs),
    writer: { self: 'site', isGone: async () => true },
    wallMs: () => clock.wallMs(),
    monotonicMs: () => clock.monotonicMs(),
    log: quiet,
  });
  const cloudOrder = { storeId: 's1', ownerId: 'o1', comboType: 3, days: 30 } as const;
  const channel = { channelNo: 1, channelId: KEY.channelId, record: null, backfillFrom: null, cloud: cloudOrder };
  cloud.assign([{ channels: [channel] } as unknown as DeviceAssignment]);
  await recordings.open();
  for (const { folder, storageId } of recordings.disks) if (storageId !== null) known.set(folder, storageId);
  ends.push(() => recordings.close());
  await cloud.start(() => recordings.store);
  ends.push(() => cloud.close());
  emptier.start();
  ends.push(() => emptier.close());
  const release = async (file: number): Promise<void> =>
    await cloud.rulesOf(() => recordings.store).release(KEY, startOf(file));
  return { cloud, recordings, emptier, release };
}

const namesOf = async (folder: string, tail: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(tail));

type Site = Awaited<ReturnType<typeof open>>;

const storedBy = async ({ cloud }: Site): Promise<number> =>
  (await cloud.calls.cloudBacklog()).channels.reduce((sum, one) => sum + one.storedFiles, 0);

/** Media of each file, from wherever it is. */
async function mediaOf({ cloud, recordings }: Site): Promise<readonly Buffer[]> {
  const read = async (file: number): Promise<Buffer> => {
    const opened = await cloud.disk.openFile(recordings.store.mediaPath(KEY, startOf(file)), 'read');
    try {
      const bytes = Buffer.alloc(await opened.size());
      return bytes.subarray(0, await opened.read(bytes, 0));
    } finally {
      await opened.close();
    }
  };
  const all: Buffer[] = [];
  for (let file = 0; file < FILES; file += 1) all.push(await read(file));
  return all;
}

/** Recorded on the first disk, all copied, the oldest in the store alone. */
async function recordAndCopy(): Promise<{ media: readonly Buffer[]; objects: ReadonlyMap<string, unknown> }> {
  const disk = createDisk();
  const store = new RecordingsStore({ disk, folder: full });
  for (let file = 0; file < FILES; file += 1) {
    await recordClip(
      { disk, folder: full, store, key: KEY },
      { startMs: startOf(file), seconds: FILE_MS / 1000, audio: null },
    );
  }
  const site = await open(false);
  await waitFor('all copies', async () => (await storedBy(site)) === FILES, 30_000);
  const media = await mediaOf(site);
  for (let file = 0; file < REMOTE; file += 1) await site.release(file);
  expect(await mediaOf(site)).toEqual(media);
  await end();
  return { media, objects: new Map(bucket.objects) };
}

async function expectMoved(site: Site, { media, objects }: Awaited<ReturnType<typeof recordAndCopy>>): Promise<void> {
  expect(await namesOf(full, '.mp4')).toEqual([]);
  expect(await namesOf(full, COPIES_NAME)).toEqual([]);
  expect(await namesOf(other, '.mp4')).toHaveLength(FILES - REMOTE);
  expect(new Map(bucket.objects)).toEqual(objects);
  expect(await storedBy(site)).toBe(FILES);
  expect((await site.cloud.calls.cloudBacklog()).channels[0]?.waitingFiles).toBe(0);
  expect(await mediaOf(site)).toEqual(media);
}

it('goes with its copies, which stay as they are, also after a restart; retention goes on as before', async () => {
  const before = await recordAndCopy();
  const site = await open(true);
  await waitFor('the end of it', () => site.emptier.progressOf(full)?.state === 'done', 30_000);
  await expectMoved(site, before);
  await end();

  const again = await open(true);
  await waitFor('the end of it', () => again.emptier.progressOf(full)?.state === 'done', 30_000);
  await expectMoved(again, before);
  // One more to the store alone, and one deleted with its objects.
  await again.release(REMOTE);
  expect(await namesOf(other, '.mp4')).toHaveLength(FILES - REMOTE - 1);
  expect(await mediaOf(again)).toEqual(before.media);
  await again.recordings.store.remove(KEY, startOf(FILES - 1));
  await waitFor('its objects to go', () => bucket.objects.size === before.objects.size - 2, 30_000);
}, 120_000);

it('is as whole where the move ended between the media and what is known of its copy', async () => {
  const before = await recordAndCopy();
  const disk = createDisk();
  // As a kill leaves it: the other disk has the media and the index, and knows of no copy.
  for (const kind of ['mp4', 'idx']) {
    const path = mediaPath(full, KEY, startOf(FILES - 1)).replace(/mp4$/, kind);
    const target = path.replace(full, other);
    await disk.makeFolder(join(target, '..'));
    await disk.replaceFile(target, await disk.readWhole(path));
  }
  const site = await open(true);
  await waitFor('the end of it', () => site.emptier.progressOf(full)?.state === 'done', 30_000);
  await expectMoved(site, before);
}, 120_000);
