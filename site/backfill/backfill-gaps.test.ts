// Which gaps are backfilled: outages that ended within the last days, each again only after a while.
import { createDisk } from '@vedette/media/recordings/disk.ts';
import { RecordingsStore } from '@vedette/media/recordings/recordings-store.ts';
import type { NoteKind } from '@vedette/media/recordings/gaps/track-notes.ts';
import { expect, test } from 'vitest';
import { backfilledPieces, findBackfillGaps, isTried } from './backfill-gaps.ts';

const KEY = { channelId: 'cam1', quality: 0 } as const;
const NOW = Date.UTC(2026, 4, 20, 12);

/** Seconds before now. */
function store(files: readonly (readonly [number, number])[], notes: readonly (readonly [NoteKind, number, number])[]) {
  const made = new RecordingsStore({ disk: createDisk(), folder: '/nowhere' });
  for (const [from, to] of files) {
    const file = { startMs: NOW - from * 1000, endMs: NOW - to * 1000, mediaBytes: 1, indexBytes: 1, recordsAhead: [] };
    made.opened(KEY, file);
    made.closed(KEY, file);
  }
  for (const [kind, from, to] of notes) made.note(KEY, { kind, startMs: NOW - from * 1000, endMs: NOW - to * 1000 });
  return made;
}

const gapsOf = (made: RecordingsStore, days = 30) =>
  findBackfillGaps(made, KEY, NOW, days).map(({ startMs, endMs }) => [(NOW - startMs) / 1000, (NOW - endMs) / 1000]);

test('backfills an outage that the plan did not cause, as one range whatever its reasons', () => {
  const made = store(
    [
      [1000, 900],
      [600, 500],
      [400, 300],
      [200, 5],
    ],
    [
      ['streamLost', 900, 880],
      ['cameraOffline', 880, 600],
      ['planOff', 500, 400],
      ['siteDown', 300, 200],
    ],
  );
  expect(gapsOf(made)).toEqual([
    [900, 600],
    [300, 200],
  ]);
});

test('skips gaps that are short, ongoing or older than retention', () => {
  const day = 86_400;
  const made = store(
    [
      [9 * day, 8 * day],
      [2 * day, 1.5 * day],
      [1000, 100],
      [97, 60],
    ],
    [['cameraOffline', 60, 0]],
  );
  expect(gapsOf(made, 1)).toEqual([[1 * day, 1000]]);
  expect(gapsOf(made, 30)[0]).toEqual([7 * day, 2 * day]);
});

test('backfills an ongoing outage except its last ten minutes', () => {
  const notes = [['cameraOffline', 3600, 0]] as const;
  expect(gapsOf(store([[7200, 3600]], notes))).toEqual([[3600, 600]]);
});

test('backfills the rest of an interrupted backfill, however short', () => {
  const files = [
    [900, 700],
    [650, 603],
    [600, 503],
    [500, 5],
  ] as const;
  const made = store(files, [['filled', 700, 600]]);
  const found = findBackfillGaps(made, KEY, NOW, 30).map((gap) => [(NOW - gap.startMs) / 1000, gap.worthMs]);
  expect(found).toEqual([
    [700, 2000],
    [603, 2000],
  ]);
});

test("clips the device's recordings to the gap", () => {
  const held = [
    { from: 0, to: 10 },
    { from: 20, to: 50 },
    { from: 60, to: 70 },
  ];
  expect(backfilledPieces(held, { startMs: 5, endMs: 40 })).toEqual([
    { from: 5, to: 10 },
    { from: 20, to: 40 },
  ]);
});

test('skips a gap that was tried, unless it grew since', () => {
  const gap = { startMs: 0, endMs: 1000 };
  const tried = [{ ...gap, untilMs: 1 }];
  expect(isTried(tried, gap)).toBe(true);
  expect(isTried(tried, { startMs: 100, endMs: 1000 })).toBe(true);
  expect(isTried(tried, { startMs: 0, endMs: 2000 })).toBe(false);
});

test('backfilled ranges are marked, across a restart too', async () => {
  const made = store([[100, 50]], [['filled', 80, 70]]);
  const spans = made.spans(KEY, NOW - 100_000, NOW);
  expect(spans.map(({ startTime, endTime, isFilled = false }) => [NOW - startTime, NOW - endTime, isFilled])).toEqual([
    [100_000, 80_000, false],
    [80_000, 70_000, true],
    [70_000, 50_000, false],
  ]);
  const { readNotes, writeNote } = await import('@vedette/media/recordings/gaps/track-notes.ts');
  expect(readNotes(Buffer.concat(made.notes(KEY).map(writeNote)))).toEqual(made.notes(KEY));
});
