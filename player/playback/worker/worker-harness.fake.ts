// Test harness of the playback worker: tiles with recordings, decoders and frames that a test advances.
import { expect, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import type { ClockState } from './clock-state.ts';
import { segmentEntryAt, segmentServer, FakeDecoder, FRAME_MS, SEGMENT_FRAMES } from './fake-decoder.fake.ts';
import { SegmentStore } from '../segments/segment-store.ts';
import type { FromPlaybackWorker } from './worker-messages.ts';
import { WorkerTiles } from './worker-tiles.ts';

export const WINDOW_MS = 600_000;
export const AT = Math.ceil(1_700_000_000_000 / WINDOW_MS) * WINDOW_MS;
export const SEGMENT_MS = SEGMENT_FRAMES * FRAME_MS;

export interface WorkerHarnessOptions {
  /** Every answer takes so long, of the stage's time. */
  readonly answerMs?: number;
  /** Answers instead of the server; null: the server does. */
  readonly answer?: (address: string) => Promise<Response> | null;
  /** Told of each picture that is painted, by its capture instant, ms. */
  readonly onPaint?: (at: number) => void;
}

/** The first tile's recording begins at `AT`, that of the second a fraction of a picture later. */
export function openHarness(
  tiles: readonly string[],
  { answerMs = 0, answer: special, onPaint = () => undefined }: WorkerHarnessOptions = {},
) {
  let now = 1_800_000_000_000;
  let answers: { readonly dueMs: number; readonly give: () => void }[] = [];
  let task: (() => void) | null = null;
  const posted: FromPlaybackWorker[] = [];
  const drawn = new Map<string, number[]>();
  const server = segmentServer();
  stubRenderers(onPaint);
  const wall = new WorkerTiles({
    store: new SegmentStore((address) => {
      const answer = special?.(address) ?? server.get(address);
      if (answerMs === 0) return answer;
      return new Promise((resolve) => {
        answers.push({ dueMs: now + answerMs, give: () => resolve(answer) });
      });
    }),
    now: () => now,
    post: (message) => {
      posted.push(message);
      if (message.kind === 'pictures') for (const { tile, at } of message.pictures) drawn.get(tile)?.push(at);
    },
    nextFrame: (next) => {
      task = next;
    },
  });
  for (const [index, tile] of tiles.entries()) {
    drawn.set(tile, []);
    addTile(wall, tile, index * 20);
  }
  let state: ClockState = { wallMs: 0, atMs: now, rate: 1, isRunning: false, isPlaying: false, jump: 0 };
  return {
    posted,
    /** What a tile said of itself last. */
    status: () => posted.findLast((one) => one.kind === 'status')?.status.kind,
    faults: () => posted.flatMap((one) => (one.kind === 'fault' ? [one.fault] : [])),
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

/** With all the recordings it ever asks for. */
function addTile(wall: WorkerTiles, tile: string, laterMs: number): void {
  wall.take({ kind: 'add', tile, windowMs: WINDOW_MS });
  const segments = Array.from({ length: 10 }, (_, at) => segmentEntryAt(AT + at * SEGMENT_MS + laterMs));
  const reply = { kind: 'segments', segments, isGrowing: false } as const;
  wall.take({ kind: 'window', tile, window: AT, reply });
}

/** The name stands in the global scope until `vi.unstubAllGlobals`. */
function stubRenderers(onPaint: (at: number) => void): void {
  class FakeCanvas {
    width = 1;
    height = 1;
    getContext = () => ({ drawImage: ({ timestamp }: { timestamp: number }): void => onPaint(timestamp / 1000) });
    transferToImageBitmap = () => ({ width: this.width, height: this.height, close: () => undefined });
  }
  vi.stubGlobal('OffscreenCanvas', FakeCanvas);
}

export type WorkerHarness = ReturnType<typeof openHarness>;

/** Frames and decoders run until a condition holds. */
export async function until(set: WorkerHarness, condition: () => boolean, working = () => FakeDecoder.all) {
  await vi.waitFor(async () => {
    set.frame();
    await settlePromises();
    for (const decoder of working()) await decoder.work();
    expect(condition()).toBe(true);
  });
}

export const shown = (set: WorkerHarness, tile: string): number => Math.round(set.drawn.get(tile)?.at(-1) ?? 0);
