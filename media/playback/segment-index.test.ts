// The list of a window that is ours in part and the device's in part: each instant once, ours first, what is to come named.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordClip } from '../recorder/file-recorder.fixture.ts';
import { createDisk } from '../recordings/disk.ts';
import { RecordingsStore } from '../recordings/recordings-store.ts';
import type { TimeRange } from '../recordings/gaps/track-notes.ts';
import { awaitEdgePlayback, type EdgePlayback } from './edge-playback.ts';
import { planWindow } from './playback-plan.ts';
import { writeSegmentIndex } from './segment-index.ts';

const START = Date.UTC(2026, 2, 29);
const KEY = { channelId: 'cam1', quality: 0 } as const;
const disk = createDisk();
let root: string;
let own: RecordingsStore;
let device: RecordingsStore;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'window-'));
  [own, device] = ['own', 'device'].map((name) => new RecordingsStore({ disk, folder: join(root, name) })) as [
    RecordingsStore,
    RecordingsStore,
  ];
});
afterEach(() => rm(root, { recursive: true, force: true }));

const record = (store: RecordingsStore, from: number, seconds: number) =>
  recordClip(
    { disk, folder: store.mainFolder, store, key: KEY },
    { startMs: START + from * 1000, seconds, audio: null },
  );

function fetched(isAlone: boolean, awaited: readonly TimeRange[] = []): EdgePlayback {
  return { store: device, key: KEY, isAlone, request: () => Promise.resolve(awaited) };
}

async function listed(footage: EdgePlayback | undefined) {
  const range = { startTime: START, endTime: START + 60_000 };
  const text = await writeSegmentIndex({ store: own, key: KEY, range, edge: footage, atMs: START });
  const { segments, awaited } = JSON.parse(text) as {
    segments: { name: string; wallMs: number; init: string }[];
    awaited?: TimeRange[];
  };
  const places = segments.map(({ name, wallMs }) => `${name.startsWith('d') ? 'd' : ''}${(wallMs - START) / 1000}`);
  return { places, awaited, segments };
}

test('[ST-07] our segments take precedence, edge segments fill the gaps, and names distinguish them', async () => {
  await record(own, 10, 10);
  await record(device, 4, 24);
  const awaited = [{ startMs: START + 28_000.4, endMs: START + 60_000 }];
  const { places, segments, ...rest } = await listed(fetched(false, awaited));
  expect(places).toEqual(['d4', 'd6', 'd8', '10', '12', '14', '16', '18', 'd20', 'd22', 'd24', 'd26']);
  expect(segments.map(({ init }) => init.startsWith('d'))).toEqual(places.map((place) => place.startsWith('d')));
  expect(rest.awaited).toEqual([{ startMs: START + 28_000, endMs: START + 60_000 }]);
});

test('lists edge segments alone, and none at all', async () => {
  await record(own, 10, 4);
  await record(device, 8, 4);
  expect((await listed(fetched(true))).places).toEqual(['d8', 'd10']);
  expect(await listed(undefined)).toMatchObject({ places: ['10', '12'], awaited: undefined });
});

test('[ST-07] a range fetched twice is listed once, in its later and longer version', async () => {
  await record(device, 4, 3);
  await record(device, 6, 6);
  expect((await listed(fetched(true))).places).toEqual(['d4', 'd6', 'd8', 'd10']);
  const plan = await planWindow({ store: device, key: KEY, startMs: START, endMs: START + 60_000 });
  expect(plan.segments.map(({ positionTicks }) => positionTicks / 90_000)).toEqual([0, 2, 4, 6]);
});

test('a backfilled gap begins and ends without repeated frames', async () => {
  await record(own, 0, 11);
  // From the keyframe before the outage to a moment after it.
  await record(own, 9, 11.5);
  await record(own, 20, 10);
  const plan = () => planWindow({ store: own, key: KEY, startMs: START, endMs: START + 60_000 });
  const repeatedMs = async () => {
    const { segments } = await plan();
    const ends = segments.map(({ wallMs, durationTicks }) => wallMs + durationTicks / 90);
    return segments.map(({ wallMs }, at) => Math.max(0, (ends[at - 1] ?? 0) - wallMs));
  };
  // Without the mark both stand: a clock that was set leaves other recordings of the same time.
  expect(Math.max(...(await repeatedMs()))).toBeGreaterThan(1000);
  own.note(KEY, { kind: 'filled', startMs: START + 11_000, endMs: START + 20_000 });
  expect(Math.max(...(await repeatedMs()))).toBeLessThanOrEqual(100);
  const { segments } = await plan();
  const shownMs = segments.reduce((sum, { durationTicks }) => sum + durationTicks / 90, 0);
  expect(Math.abs(shownMs - 30_000)).toBeLessThanOrEqual(100);
});

test('a reader waits until enough is fetched, its timeout passes, or its right ends', async () => {
  let there = START;
  const wanted: number[] = [];
  const growing: EdgePlayback = {
    ...fetched(true),
    request: (atMs) => {
      wanted.push(atMs - START);
      there += 5000;
      return Promise.resolve([{ startMs: there, endMs: START + 60_000 }]);
    },
  };
  const ended = new AbortController();
  const request = { startMs: START, endMs: START + 60_000, enoughMs: 12_000, limitMs: 5000, ended: ended.signal };
  expect(await awaitEdgePlayback(growing, request)).toBe(START + 15_000);
  expect(wanted).toEqual([0, 5000, 10_000]);
  ended.abort();
  expect(await awaitEdgePlayback(growing, { ...request, enoughMs: Number.POSITIVE_INFINITY })).toBe(START + 20_000);
  expect(await awaitEdgePlayback({ ...growing, request: () => Promise.resolve([]) }, request)).toBe(START + 60_000);
});
