// Tiles on one clock inside the worker: steps without the page, one instant for all, nothing to do at rest.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settle } from '../fake-clock.fake.ts';
import { type ClockState, positionAt } from './clock-state.ts';
import { entryAt, footageServer, HandDecoder, PICTURE_MS, PICTURES, stubDecoders } from './hand-decoder.fake.ts';
import { SegmentStore } from './segment-store.ts';
import type { FromPlaybackWorker } from './worker-messages.ts';
import { WorkerTiles } from './worker-tiles.ts';

const WINDOW_MS = 600_000;
const AT = Math.ceil(1_700_000_000_000 / WINDOW_MS) * WINDOW_MS;
const SEGMENT_MS = PICTURES * PICTURE_MS;

beforeEach(stubDecoders);
afterEach(() => void vi.unstubAllGlobals());

/** The first tile's footage begins at `AT`, that of the second a fraction of a picture later. Every answer takes `answerMs`. */
function stage(tiles: readonly string[], answerMs = 0) {
  let now = 1_800_000_000_000;
  let answers: { readonly dueMs: number; readonly give: () => void }[] = [];
  let task: (() => void) | null = null;
  const posted: FromPlaybackWorker[] = [];
  const drawn = new Map<string, number[]>();
  const server = footageServer();
  const wall = new WorkerTiles({
    store: new SegmentStore((address) => {
      const answer = server.get(address);
      if (answerMs === 0) return answer;
      return new Promise((resolve) => {
        answers.push({ dueMs: now + answerMs, give: () => resolve(answer) });
      });
    }),
    now: () => now,
    post: (message) => posted.push(message),
    nextFrame: (next) => {
      task = next;
    },
  });
  for (const [index, tile] of tiles.entries()) {
    const times: number[] = [];
    drawn.set(tile, times);
    const drawImage = ({ timestamp }: { timestamp: number }): void => void times.push(timestamp / 1000);
    const context = { drawImage, clearRect: vi.fn<() => void>() };
    const canvas = { width: 0, height: 0, getContext: () => context } as unknown as OffscreenCanvas;
    wall.take({ kind: 'add', tile, canvas, windowMs: WINDOW_MS });
    const segments = Array.from({ length: 10 }, (_, at) => entryAt(AT + at * SEGMENT_MS + index * 20));
    const reply = { kind: 'segments', segments, isGrowing: false } as const;
    wall.take({ kind: 'window', tile, window: AT, reply });
  }
  let state: ClockState = { wallMs: 0, atMs: now, rate: 1, isRunning: false, isPlaying: false, jump: 0 };
  return {
    posted,
    drawn,
    server,
    now: () => now,
    take: wall.take.bind(wall),
    clock: (change: Partial<ClockState>): void => {
      state = { ...state, atMs: now, ...change };
      wall.take({ kind: 'clock', clock: state });
    },
    /** The next picture of the screen, `ms` later; false where nothing waits for it. */
    frame: (ms = 0): boolean => {
      now += ms;
      const [ready, later] = [answers.filter(({ dueMs }) => dueMs <= now), answers.filter(({ dueMs }) => dueMs > now)];
      answers = later;
      for (const { give } of ready) give();
      const due = task;
      task = null;
      due?.();
      return due !== null;
    },
  };
}

/** Frames and decoders run until a condition holds. */
async function until(set: ReturnType<typeof stage>, condition: () => boolean, working = () => HandDecoder.all) {
  await vi.waitFor(async () => {
    set.frame();
    await settle();
    for (const decoder of working()) await decoder.work();
    expect(condition()).toBe(true);
  });
}

const shown = (set: ReturnType<typeof stage>, tile: string): number => Math.round(set.drawn.get(tile)?.at(-1) ?? 0);

test('a step draws the neighbour in all tiles with the next frame, whatever the page does meanwhile', async () => {
  const set = stage(['a', 'b']);
  set.clock({ wallMs: AT + 330, jump: 1 });
  await until(set, () => shown(set, 'a') === AT + 300 && shown(set, 'b') === AT + 320);
  for (let rest = 0; rest < 4; rest++) await until(set, () => true);
  const requests = set.server.asked.length;
  const fed = HandDecoder.all.flatMap(({ fed: samples }) => samples).length;
  for (const expected of [AT + 350, AT + 400]) {
    set.take({ kind: 'step', tile: 'a', direction: 1 });
    await settle();
    set.frame();
    expect(shown(set, 'a')).toBe(expected);
    expect(shown(set, 'b')).toBe(expected - 30);
  }
  const stepped = set.posted.flatMap((one) => (one.kind === 'stepped' && one.at !== null ? [Math.round(one.at)] : []));
  expect(stepped).toEqual([AT + 350, AT + 400]);
  expect(set.server.asked).toHaveLength(requests);
  expect(HandDecoder.all.flatMap(({ fed: samples }) => samples)).toHaveLength(fed);
});

test('tiles that play stay within a picture of each other while one of them decodes late', async () => {
  const set = stage(['a', 'b']);
  set.clock({ wallMs: AT + 110, isPlaying: true, isRunning: true, jump: 1 });
  await until(set, () => shown(set, 'a') >= AT + 100 && shown(set, 'b') >= AT + 70);
  const [first, late] = HandDecoder.all as [HandDecoder, HandDecoder];
  // Its pictures ahead last for 300 ms; then it is up to 200 ms behind.
  for (let frame = 0; frame < 32; frame++) {
    set.frame(20);
    await first.work();
    if (frame > 24) await late.work();
    expect(Math.abs(shown(set, 'a') - shown(set, 'b'))).toBeLessThanOrEqual(PICTURE_MS);
  }
  expect(shown(set, 'a')).toBeGreaterThanOrEqual(AT + 600);
});

test('[LV-06] fast playback over a slow line shows key pictures all along, and the last one before it says that no more follow', async () => {
  const set = stage(['a'], 700);
  set.clock({ wallMs: AT + 330, jump: 1 });
  for (let frame = 0; shown(set, 'a') !== AT + 300; frame++) {
    expect(frame).toBeLessThan(200);
    set.frame(50);
    await settle();
    for (const decoder of HandDecoder.all) await decoder.work();
  }
  let state: ClockState = { wallMs: AT + 330, atMs: set.now(), rate: 16, isRunning: true, isPlaying: true, jump: 1 };
  set.clock(state);
  const status = () => set.posted.findLast((one) => one.kind === 'status')?.status.kind;
  for (let frame = 0; status() !== 'gap'; frame++) {
    expect(frame).toBeLessThan(400);
    set.frame(50);
    await settle();
    for (const decoder of HandDecoder.all) await decoder.work();
    // As the page does it: the clock stands while the tile waits.
    const isRunning = status() !== 'waiting';
    if (isRunning === state.isRunning) continue;
    state = { ...state, wallMs: positionAt(state, set.now()), atMs: set.now(), isRunning };
    set.clock(state);
  }
  expect(shown(set, 'a')).toBe(AT + 9 * SEGMENT_MS);
  const times = (set.drawn.get('a') ?? []).map((time) => Math.round(time) - AT);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  // Ten seconds with key pictures a second apart.
  expect(times.length).toBeGreaterThanOrEqual(3);
});

test('a paused wall asks for no frame and sends no message', async () => {
  const set = stage(['a', 'b']);
  set.clock({ wallMs: AT + 330, jump: 1 });
  await until(set, () => shown(set, 'a') > 0 && shown(set, 'b') > 0);
  await until(set, () => !set.frame());
  const messages = set.posted.length;
  for (let later = 0; later < 5; later++) expect(set.frame(1000)).toBe(false);
  expect(set.posted).toHaveLength(messages);
});
