// Gaps of recordings with their reasons: stored over restarts, never reported where something is recorded.
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDisk } from '../disk.ts';
import { gapReasons } from './recording-gaps.ts';
import { RecordingsStore } from '../recordings-store.ts';
import { scanFolder } from '../scan-folder.ts';
import type { TrackNote } from './track-notes.ts';

const KEY = { channelId: 'cam1', quality: 0 } as const;
const disk = createDisk();
const entry = (startMs: number, endMs: number) => ({ startMs, endMs, mediaBytes: 1, records: 1 });

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gaps-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function storeWith(files: readonly (readonly [number, number])[], notes: readonly TrackNote[] = []) {
  const store = new RecordingsStore({ disk, folder });
  store.load([{ key: KEY, entries: files.map(([from, to]) => entry(from, to)), notes }]);
  return store;
}

const gaps = (store: RecordingsStore, now: number, from = 0, to = 1e9) =>
  store.gaps(KEY, { from, to }, now).map(({ startTime, endTime, reason }) => [startTime, endTime, reason]);

test('a gap has the noted reason, or unknown without a note', () => {
  const files = [
    [100_000, 200_000],
    [201_500, 300_000],
    [400_000, 500_000],
    [600_000, 700_000],
  ] as const;
  const store = storeWith(files, [{ kind: 'cameraOffline', startMs: 301_000, endMs: 399_000 }]);
  expect(gaps(store, 700_000)).toEqual([
    [300_000, 400_000, 'cameraOffline'],
    [500_000, 600_000, 'unknown'],
  ]);
  expect(gaps(store, 700_000, 350_000, 550_000)).toEqual([
    [350_000, 400_000, 'cameraOffline'],
    [500_000, 550_000, 'unknown'],
  ]);
});

test('no gap is reported before the first recording, nor in the last seconds while recording goes on', () => {
  const store = storeWith([[100_000, 200_000]]);
  expect(gaps(store, 204_000)).toEqual([]);
  expect(gaps(store, 260_000)).toEqual([[200_000, 260_000, 'unknown']]);
  store.note(KEY, { kind: 'planOff', startMs: 200_000, endMs: 204_000 });
  expect(gaps(store, 204_000)).toEqual([[200_000, 204_000, 'planOff']]);
});

test.each([
  [
    [
      ['streamLost', 0, 5000],
      ['cameraOffline', 5000, 90_000],
    ],
    [['cameraOffline', 0, 100_000]],
  ],
  [
    [
      ['cameraOffline', 10_000, 50_000],
      ['siteDown', 50_000, 95_000],
    ],
    [
      ['cameraOffline', 0, 50_000],
      ['siteDown', 50_000, 100_000],
    ],
  ],
  [
    [
      ['planOff', -5000, 40_000],
      ['disk', 40_000, 44_000],
      ['planOff', 44_000, 200_000],
    ],
    [['planOff', 0, 100_000]],
  ],
  [
    [
      ['disk', 0, 60_000],
      ['siteDown', 30_000, 100_000],
    ],
    [
      ['disk', 0, 30_000],
      ['siteDown', 30_000, 100_000],
    ],
  ],
] as const)('several reasons share a gap of 100 s: case %#', (reasons, expected) => {
  const noted = reasons.map(([kind, startMs, endMs]) => ({ kind, startMs, endMs }));
  const found = gapReasons({ startMs: 0, endMs: 100_000 }, noted);
  expect(found.map(({ reason, startTime, endTime }) => [reason, startTime, endTime])).toEqual(expected);
});

test('after a kill the gap says that the site was down, however soon it was back', () => {
  const store = storeWith([[0, 60_000]]);
  // Back after a second; the camera gives its first picture four seconds later.
  store.noteDown(61_000);
  store.opened(KEY, { startMs: 65_000, endMs: 70_000, mediaBytes: 1, indexBytes: 1, recordsAhead: [] });
  expect(gaps(store, 70_000)).toEqual([[60_000, 65_000, 'siteDown']]);
});

test('[EN-21] alarm marks split spans by type, also those made before the recording', () => {
  const store = storeWith([
    [0, 60_000],
    [60_000, 120_000],
  ]);
  store.note(KEY, { kind: 'alarm', startMs: 50_000, endMs: 70_000 });
  store.note(KEY, { kind: 'alarm', startMs: 65_000, endMs: 80_000 });
  store.note(KEY, { kind: 'alarm', startMs: 110_000, endMs: 500_000 });
  expect(store.spans(KEY, 0, 1e9).map((one) => [one.startTime, one.endTime, one.recordType])).toEqual([
    [0, 50_000, 1],
    [50_000, 80_000, 2],
    [80_000, 110_000, 1],
    [110_000, 120_000, 2],
  ]);
  // A mark that goes on is noted again with a later end, not twice.
  store.note(KEY, { kind: 'alarm', startMs: 110_000, endMs: 115_000 });
  expect(store.spans(KEY, 100_000, 1e9).map((one) => one.recordType)).toEqual([1, 2, 1]);
});

test('notes survive a restart; a line torn by a power cut affects no other', async () => {
  const store = storeWith([]);
  store.note(KEY, { kind: 'alarm', startMs: 1000, endMs: 2000 });
  store.note(KEY, { kind: 'disk', startMs: 5000, endMs: 9000 });
  await store.writeNotes();
  store.note(KEY, { kind: 'alarm', startMs: 1000, endMs: 4000 });
  await store.writeNotes();
  const path = `${folder}/cam1/0/notes`;
  await truncate(path, (await readFile(path)).length + 7);
  const read = async () => (await scanFolder({ disk, folder, onFault: () => undefined })).tracks[0]?.notes;
  expect(await read()).toEqual([
    { kind: 'alarm', startMs: 1000, endMs: 4000 },
    { kind: 'disk', startMs: 5000, endMs: 9000 },
  ]);
  const again = storeWith([]);
  again.note(KEY, { kind: 'siteDown', startMs: 9000, endMs: 12_000 });
  await again.writeNotes();
  expect(await read()).toHaveLength(3);
  const bytes = await readFile(path);
  bytes.writeUInt8(bytes.readUInt8(3) ^ 0xff, 3);
  await writeFile(path, bytes);
  expect(await read()).toHaveLength(2);
});

test('notes are written later when the disk is back', async () => {
  let isBroken = true;
  const store = new RecordingsStore({
    disk: {
      ...disk,
      appendLine: (path, bytes) => (isBroken ? Promise.reject(new Error('planted')) : disk.appendLine(path, bytes)),
    },
    folder,
  });
  store.note(KEY, { kind: 'disk', startMs: 5000, endMs: 9000 });
  await expect(store.writeNotes()).rejects.toThrow('planted');
  isBroken = false;
  await store.writeNotes();
  const { tracks } = await scanFolder({ disk, folder, onFault: () => undefined });
  expect(tracks[0]?.notes).toEqual([{ kind: 'disk', startMs: 5000, endMs: 9000 }]);
});
