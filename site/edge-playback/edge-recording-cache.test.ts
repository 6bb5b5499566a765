// The cache of edge recordings stays within its limit, is deleted with the process, and never takes space from recordings.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordClip } from '../../media/recorder/file-recorder.fixture.ts';
import { createDisk, type Disk } from '@vedette/media/recordings/disk.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EdgeRecordingCache, EdgeRecordingCacheFull } from './edge-recording-cache.ts';

const KEY = { channelId: 'cam1', quality: 0 } as const;
const START = Date.UTC(2026, 2, 29);
const disk = createDisk();
let root: string;
let folder: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fetched-'));
  folder = join(root, 'fetched');
});
afterEach(() => rm(root, { recursive: true, force: true }));

function open(budgetBytes: number, on: Disk = disk) {
  const onFault = vi.fn();
  return { store: new EdgeRecordingCache({ disk: on, folder, budgetBytes, reserveBytes: 1, onFault }), onFault };
}

async function fetch(store: EdgeRecordingCache, startMs: number): Promise<void> {
  const clip = { startMs, seconds: 10, audio: null };
  const sink = {
    opened: store.opened.bind(store),
    stored: store.stored.bind(store),
    closed: store.closed.bind(store),
  };
  await recordClip({ disk, folder: store.folderForWriting(), store: sink as never, key: KEY }, clip);
}

test('evicts the oldest first', async () => {
  const { store, onFault } = open(1);
  await store.open();
  await fetch(store, START);
  await fetch(store, START + 60_000);
  await vi.waitFor(() => expect(store.store.usedBytes).toBe(0));
  const roomy = open(1e9).store;
  await roomy.open();
  await fetch(roomy, START);
  await fetch(roomy, START + 60_000);
  expect(roomy.store.spans(KEY, START, START + 120_000)).toHaveLength(2);
  expect(onFault).not.toHaveBeenCalled();
});

test('removes leftovers of an earlier process on first use, and everything at the end', async () => {
  await mkdir(join(folder, 'cam9'), { recursive: true });
  await writeFile(join(folder, 'cam9', 'old.mp4'), 'x');
  const { store } = open(1e9);
  await store.open();
  expect(await readdir(folder)).toEqual([]);
  await fetch(store, START);
  await store.close();
  expect(await readdir(root)).toEqual([]);
});

test('stores nothing when only the disk reserve is left', async () => {
  const full: Disk = { ...disk, space: () => Promise.resolve({ freeBytes: 1, totalBytes: 100 }) };
  const { store } = open(1e9, full);
  await store.open();
  expect(() => store.folderForWriting()).toThrow(EdgeRecordingCacheFull);
});
