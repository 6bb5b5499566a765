// Listed recordings that cannot be fetched or decoded, and connections that break: playback goes on, or says why it stopped.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { type ClockState, positionAt } from './clock-state.ts';
import { segmentEntryAt, FakeDecoder, FRAME_MS, stubDecoders } from './fake-decoder.fake.ts';
import {
  AT,
  SEGMENT_MS,
  type WorkerHarness,
  type WorkerHarnessOptions,
  shown,
  openHarness,
  until,
} from './worker-harness.fake.ts';

const DAMAGED = AT + 2 * SEGMENT_MS;

beforeEach(stubDecoders);
afterEach(() => void vi.unstubAllGlobals());

/** The page: gives a window another ticket when it is asked for, and holds the clock for a tile that waits. */
function page(options: WorkerHarnessOptions) {
  const set = openHarness(['a'], options);
  let answered = 0;
  let state: ClockState = { wallMs: 0, atMs: set.now(), rate: 1, isRunning: false, isPlaying: false, jump: 0 };
  const move = (change: Partial<ClockState>): void => {
    state = { ...state, wallMs: positionAt(state, set.now()), atMs: set.now(), ...change };
    set.clock(state);
  };
  const give = (): void => {
    const wants = set.posted.filter((one) => one.kind === 'wantWindow');
    for (const { window, isStale } of wants.slice(answered)) {
      const ticket = isStale ? wants.length : 0;
      const segments = Array.from({ length: 10 }, (_, at) => ({
        ...segmentEntryAt(AT + at * SEGMENT_MS),
        base: `/w${ticket}/`,
      }));
      const reply = { kind: 'segments', segments: window === AT ? segments : [], isGrowing: false } as const;
      set.take({ kind: 'window', tile: 'a', window, reply });
    }
    answered = wants.length;
  };
  /** Of another place it said nothing yet. */
  const status = (): string => {
    const said = set.posted.findLast((one) => one.kind === 'status');
    return said?.jump === state.jump ? said.status.kind : 'waiting';
  };
  return { set, move, give, status, isRunning: () => state.isRunning, isPlaying: () => state.isPlaying };
}

/** Frames of 20 ms until a condition holds; the clock stands while the tile waits. */
async function playUntil(of: ReturnType<typeof page>, condition: (set: WorkerHarness) => boolean): Promise<void> {
  const { set, move, give } = of;
  await vi.waitFor(
    async () => {
      set.frame(20);
      give();
      await settlePromises();
      for (const decoder of FakeDecoder.all) await decoder.work();
      const isRunning = of.isPlaying() && of.status() !== 'waiting';
      if (isRunning !== of.isRunning()) move({ isRunning });
      expect(condition(set)).toBe(true);
    },
    { timeout: 12_000, interval: 5 },
  );
}

const refusing = (status: number) => (address: string) =>
  address.includes(`${DAMAGED}-0-1`) ? Promise.resolve(new Response('{}', { status })) : null;

const isBehind = (set: WorkerHarness): boolean => shown(set, 'a') >= DAMAGED + SEGMENT_MS;

test.each([
  { kind: 'refused', rate: 1, answer: refusing(404) },
  { kind: 'refused', rate: 16, answer: refusing(500) },
  { kind: 'undecodable', rate: 1, answer: () => null },
  { kind: 'undecodable', rate: 16, answer: () => null },
])('skips a $kind segment at $rate× without a failure', async ({ kind, rate, answer }) => {
  if (kind === 'undecodable') FakeDecoder.breaksFrom = [DAMAGED * 1000 - 500, (DAMAGED + SEGMENT_MS) * 1000 - 500];
  const of = page({ answer });
  of.move({ wallMs: AT + 330, jump: 1 });
  await playUntil(of, (set) => shown(set, 'a') === AT + 300);
  of.move({ rate, isPlaying: true, isRunning: true });
  await playUntil(of, isBehind);
  expect(of.set.faults()).toEqual([]);
});

test('a last keyframe that the decoder never returns does not block fast playback', async () => {
  const lastUs = (AT + 9 * SEGMENT_MS) * 1000;
  FakeDecoder.swallows = (atUs) => atUs >= lastUs - 500;
  const of = page({});
  of.move({ wallMs: AT + 330, jump: 1 });
  await playUntil(of, (set) => shown(set, 'a') === AT + 300);
  of.move({ rate: 16, isPlaying: true, isRunning: true });
  await playUntil(of, () => of.status() === 'gap');
  expect(of.set.faults()).toEqual([]);
});

test('in reverse, a frame that the decoder drops is skipped', async () => {
  const left = AT + 10 * FRAME_MS;
  FakeDecoder.swallows = (atUs) => Math.abs(atUs - left * 1000) < 500;
  const of = page({});
  of.move({ wallMs: AT + 15 * FRAME_MS + 5, jump: 1 });
  await playUntil(of, (set) => shown(set, 'a') === AT + 15 * FRAME_MS);
  of.move({ rate: -1, jump: 2, isPlaying: true, isRunning: true });
  await playUntil(of, (set) => shown(set, 'a') <= AT + 5 * FRAME_MS);
});

test('waits with backoff through a short network failure, and reports a lasting one', async () => {
  let isBroken = false;
  const asked: string[] = [];
  const of = page({
    answer: (address) => {
      if (!isBroken) return null;
      asked.push(address);
      return Promise.reject(new TypeError('Failed to fetch'));
    },
  });
  of.move({ wallMs: AT + 330, jump: 1 });
  await playUntil(of, (set) => shown(set, 'a') === AT + 300);
  isBroken = true;
  of.move({ isPlaying: true, isRunning: true });
  await playUntil(of, () => asked.length > 2);
  expect(of.set.faults()).toEqual([]);
  isBroken = false;
  await playUntil(of, isBehind);
  isBroken = true;
  const before = asked.length;
  // A window whose ticket is over: nothing that was fetched helps.
  of.move({ wallMs: AT + 8 * SEGMENT_MS, jump: 2 });
  await playUntil(of, (set) => set.faults().length > 0);
  expect(of.set.faults()[0]).toMatchObject({ kind: 'failed' });
  expect(asked.length - before).toBeLessThan(40);
  isBroken = false;
  of.set.take({ kind: 'again', tile: 'a' });
  await playUntil(of, (set) => shown(set, 'a') >= AT + 8 * SEGMENT_MS);
});

test('a failing tile reports its error and stops no other', async () => {
  const onPaint = (at: number): void => {
    if (Math.round(at) === AT + 300) throw new DOMException('no canvas', 'InvalidStateError');
  };
  const set = openHarness(['a', 'b'], { onPaint });
  set.clock({ wallMs: AT + 330, jump: 1 });
  await until(set, () => shown(set, 'b') === AT + 320 && set.faults().length > 0);
  expect(set.faults()).toEqual([{ kind: 'failed', message: 'no canvas' }]);
});
