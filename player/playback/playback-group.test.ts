// The clock of many tiles, who is waited for, and what happens where nobody has recordings; tiles are stood in for by the tests.
import { expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { FakePlayerClock } from '../fake-player-clock.fake.ts';
import type { RecordingSource } from './recording-source.ts';
import { PlaybackClock } from './playback-clock.ts';
import { PlaybackGroup } from './playback-group.ts';
import type { PlaybackTile, TileEvents } from './playback-tile.ts';
import { WAIT_MS } from './tile-pace.ts';

const AT = 1_700_000_000_000;
const SHOWN = { kind: 'shown' } as const;
const WAITING = { kind: 'waiting' } as const;
const HOST = {} as HTMLElement;

function source(recorded: { next?: number | null; previous?: number | null } = {}): RecordingSource {
  return {
    getFragments: () => Promise.resolve({ kind: 'none' }),
    getWindow: () => Promise.resolve({ kind: 'none' }),
    nextRecorded: () => Promise.resolve(recorded.next ?? null),
    previousRecorded: () => Promise.resolve(recorded.previous ?? null),
  };
}

function stage(recorded: Parameters<typeof source>[0] = {}) {
  const clock = new FakePlayerClock();
  const events = new Map<string, TileEvents>();
  const tiles = new Map<string, PlaybackTile>();
  const left = vi.fn();
  const group = new PlaybackGroup({
    clock,
    openTile: (id, _host, _source, told) => {
      events.set(id, told);
      const tile = {
        follow: vi.fn(),
        again: vi.fn(),
        step: vi.fn(() => Promise.resolve(AT + 40)),
        setThin: vi.fn(),
        setHeard: vi.fn(),
        setThumbnail: vi.fn(),
        verify: vi.fn(() => Promise.resolve()),
        close: vi.fn(),
        leave: vi.fn(() => left),
      } satisfies PlaybackTile;
      tiles.set(id, tile);
      return tile;
    },
    onClose: () => undefined,
  });
  const tell = (id: string, status: Parameters<TileEvents['onStatus']>[0]): void => events.get(id)?.onStatus(status);
  return { clock, group, events, tiles, left, tell, add: (id: string) => group.add(id, HOST, source(recorded)) };
}

test('the clock runs at its rate, pauses while held, and reverses', async () => {
  const time = new FakePlayerClock();
  const clock = new PlaybackClock(time, AT);
  clock.play();
  await time.advanceAsync(1000);
  expect(clock.position).toBe(AT + 1000);
  clock.setRate(4);
  await time.advanceAsync(500);
  expect(clock.position).toBe(AT + 3000);
  clock.hold('a');
  clock.hold('b');
  await time.advanceAsync(5000);
  clock.release('a');
  expect(clock.position).toBe(AT + 3000);
  expect([clock.isPlaying, clock.state.isRunning]).toEqual([true, false]);
  clock.release('b');
  clock.setRate(-16);
  await time.advanceAsync(100);
  expect(clock.position).toBe(AT + 1400);
  expect(() => clock.setRate(0)).toThrow(RangeError);
  clock.pause();
  await time.advanceAsync(100);
  expect(clock.position).toBe(AT + 1400);
});

test('another stream of a camera: the picture before stays until the new one has its first, or none comes', () => {
  const { group, events, tiles, left, add } = stage();
  add('a');
  group.seek(AT);
  const before = tiles.get('a');
  group.exchange('a', HOST, source());
  expect(before?.leave).toHaveBeenCalledOnce();
  expect(tiles.get('a')).not.toBe(before);
  expect(left).not.toHaveBeenCalled();
  events.get('a')?.onFrame(AT);
  events.get('a')?.onFrame(AT + 40);
  expect(left).toHaveBeenCalledOnce();
  group.exchange('a', HOST, source());
  events.get('a')?.onEnd({ kind: 'denied', code: 1004 });
  expect(left).toHaveBeenCalledTimes(2);
  group.exchange('a', HOST, source());
  const unseen = tiles.get('a');
  group.exchange('a', HOST, source());
  expect(unseen?.leave).not.toHaveBeenCalled();
  expect(unseen?.close).toHaveBeenCalledOnce();
  expect(left).toHaveBeenCalledTimes(2);
  group.remove('a');
  expect(left).toHaveBeenCalledTimes(3);
});

test('starts together: the clock waits until every tile has its frame', async () => {
  const { clock, group, tell, add } = stage();
  add('a');
  add('b');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  await clock.advanceAsync(WAIT_MS / 2);
  expect(group.position).toBe(AT);
  expect(group.view('b').state).toEqual({ kind: 'loading', at: AT });
  tell('b', SHOWN);
  await clock.advanceAsync(500);
  expect(group.position).toBe(AT + 500);
  expect(group.view('a').state).toEqual({ kind: 'playing' });
});

test('a late tile is waited for one second, then catches up and rejoins', async () => {
  const { clock, group, tell, add } = stage();
  add('a');
  add('b');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  await clock.advanceAsync(WAIT_MS + 500);
  expect(group.view('b').state).toEqual({ kind: 'catchingUp' });
  expect(group.position).toBeGreaterThanOrEqual(AT + 300);
  tell('b', SHOWN);
  expect(group.view('b').state).toEqual({ kind: 'playing' });
});

test('a single tile is waited for without limit', async () => {
  const { clock, group, add } = stage();
  add('a');
  group.seek(AT);
  group.play();
  await clock.advanceAsync(60_000);
  expect(group.position).toBe(AT);
});

test('a tile that stalls repeatedly shows keyframes only, and tries all frames again later', async () => {
  const { clock, group, tell, tiles, add } = stage();
  add('a');
  add('b');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  tell('b', SHOWN);
  for (let round = 0; round < 4; round++) {
    tell('b', WAITING);
    await clock.advanceAsync(1500);
    tell('b', SHOWN);
    await clock.advanceAsync(200);
  }
  expect(tiles.get('b')?.setThin).toHaveBeenLastCalledWith(true);
  expect(group.view('b').isThin).toBe(true);
  await clock.advanceAsync(21_000);
  expect(tiles.get('b')?.setThin).toHaveBeenLastCalledWith(false);
});

test('one tile in a gap shows it while others play on; when all are, playback skips the gap and reports it', async () => {
  const { clock, group, tell, add } = stage();
  add('a');
  add('b');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  tell('b', { kind: 'gap', from: AT - 5000, to: AT + 60_000 });
  await clock.advanceAsync(1000);
  expect(group.view('b').state).toEqual({ kind: 'gap', from: AT - 5000, to: AT + 60_000 });
  expect(group.position).toBe(AT + 1000);
  tell('a', { kind: 'gap', from: AT + 1000, to: AT + 30_000 });
  await settlePromises();
  expect(group.position).toBe(AT + 30_000);
  expect(group.jump).toEqual({ from: AT + 1000, to: AT + 30_000 });
});

test('waits once for a recording just behind the clock, then seeks to it', async () => {
  const { clock, group, tell, add } = stage({ next: AT + 300 });
  add('one');
  group.seek(AT);
  group.play();
  tell('one', { kind: 'gap', from: null, to: AT + 300 });
  await settlePromises();
  expect(group.position).toBe(AT);
  await clock.advanceAsync(600);
  await settlePromises();
  expect(group.position).toBeGreaterThanOrEqual(AT + 300);
});

test('in reverse, the clock goes to the end of the previous recording', async () => {
  const { clock, group, tell, add } = stage();
  add('a');
  group.seek(AT);
  group.setRate(-2);
  group.play();
  tell('a', SHOWN);
  await clock.advanceAsync(100);
  tell('a', { kind: 'gap', from: AT - 90_000, to: AT - 200 });
  await settlePromises();
  expect(group.position).toBe(AT - 90_001);
});

test('reports the end of recordings, polls for more, and continues by itself', async () => {
  const recorded: { next: number | null } = { next: null };
  const { clock, group, tell, add } = stage(recorded);
  add('a');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  await clock.advanceAsync(100);
  tell('a', { kind: 'gap', from: AT + 100, to: null });
  await settlePromises();
  expect(group.view('a').state).toEqual({ kind: 'ended' });
  recorded.next = AT + 20_000;
  await clock.advanceAsync(5100);
  expect(group.position).toBe(AT + 20_000);
  expect(group.view('a').state.kind).toBe('loading');
});

test('an instant after all recordings reports that nothing follows', async () => {
  const { group, tell, add } = stage();
  add('a');
  group.seek(AT);
  tell('a', { kind: 'gap', from: null, to: null });
  await settlePromises();
  expect(group.view('a').state).toEqual({ kind: 'empty', at: AT });
});

test('[SE-33] a refusal ends one tile alone, until the next seek', async () => {
  const { clock, group, events, tell, add } = stage();
  add('a');
  add('b');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  events.get('b')?.onEnd({ kind: 'denied', code: 1017 });
  await clock.advanceAsync(1000);
  expect(group.view('b').state).toEqual({ kind: 'denied', code: 1017 });
  expect(group.position).toBe(AT + 1000);
  group.seek(AT);
  expect(group.view('b').state.kind).toBe('loading');
});

test('a step goes to the neighbour of one tile, and all follow', async () => {
  const { group, tell, tiles, add } = stage();
  add('a');
  add('b');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  tell('b', SHOWN);
  await group.step('a', 1);
  expect(group.clock.isPlaying).toBe(false);
  expect(group.position).toBe(AT + 40);
  expect(tiles.get('b')?.follow).toHaveBeenCalled();
});

test('a tile says that its audio is left out for as long as it shows such a recording', () => {
  const { group, tell, add } = stage();
  add('a');
  group.seek(AT);
  tell('a', { kind: 'shown', isAudioLeftOut: true });
  expect(group.view('a').isAudioLeftOut).toBe(true);
  const view = group.view('a');
  tell('a', { kind: 'shown', isAudioLeftOut: true });
  expect(group.view('a')).toBe(view);
  tell('a', SHOWN);
  expect(group.view('a').isAudioLeftOut).toBe(false);
});

test('slow opening does not count as a slow machine; a stall during playback switches to keyframes at once', async () => {
  const { clock, group, tell, tiles, add } = stage();
  add('a');
  add('b');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  await clock.advanceAsync(9000);
  tell('b', SHOWN);
  await clock.advanceAsync(200);
  expect(group.view('b')).toMatchObject({ state: { kind: 'playing' }, isThin: false });
  expect(tiles.get('b')?.setThin).not.toHaveBeenCalled();
  tell('b', WAITING);
  await clock.advanceAsync(WAIT_MS + 200);
  expect(tiles.get('b')?.setThin).toHaveBeenLastCalledWith(true);
  const left = group.position ?? 0;
  await clock.advanceAsync(500);
  expect(group.position).toBe(left + 500);
});

test('a paused clock notifies its tiles of seeks only', () => {
  const { group, tell, tiles, add } = stage();
  add('a');
  group.seek(AT);
  const told = vi.mocked(tiles.get('a') as PlaybackTile).follow.mock;
  const before = told.calls.length;
  tell('a', SHOWN);
  tell('a', WAITING);
  tell('a', SHOWN);
  group.pause();
  expect(told.calls).toHaveLength(before);
  group.seek(AT + 5000);
  expect(told.calls).toHaveLength(before + 1);
});

const LOST = { kind: 'failed', code: null, message: 'the server is away' } as const;

test('when all tiles failed the clock pauses, and they retry until playback resumes there', async () => {
  const { clock, group, events, tell, tiles, add } = stage();
  add('a');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  await clock.advanceAsync(1000);
  events.get('a')?.onEnd(LOST);
  const left = group.position;
  expect(group.view('a').state).toEqual(LOST);
  await clock.advanceAsync(1100);
  expect(tiles.get('a')?.again).toHaveBeenCalledTimes(1);
  events.get('a')?.onEnd(LOST);
  await clock.advanceAsync(1000);
  events.get('a')?.onEnd(LOST);
  await clock.advanceAsync(500);
  expect(tiles.get('a')?.again).toHaveBeenCalledTimes(1);
  await clock.advanceAsync(600);
  expect(tiles.get('a')?.again).toHaveBeenCalledTimes(2);
  expect(group.view('a').state.kind).toBe('loading');
  expect(group.position).toBe(left);
  tell('a', SHOWN);
  await clock.advanceAsync(1000);
  expect(group.view('a').state.kind).toBe('playing');
  expect(group.position).toBe((left ?? 0) + 1000);
});

test('tiles with a frame do not wait for a retrying one', async () => {
  const { clock, group, events, tell, tiles, add } = stage();
  add('a');
  add('b');
  group.seek(AT);
  group.play();
  tell('a', SHOWN);
  tell('b', SHOWN);
  await clock.advanceAsync(1000);
  events.get('b')?.onEnd(LOST);
  await clock.advanceAsync(6000);
  expect(tiles.get('b')?.again).toHaveBeenCalledTimes(1);
  expect(group.position).toBe(AT + 7000);
  tell('b', SHOWN);
  expect(group.view('b').state.kind).toBe('playing');
});

test('a denied tile is not requested again', async () => {
  const { clock, group, events, tiles, add } = stage();
  add('a');
  group.seek(AT);
  events.get('a')?.onEnd({ kind: 'denied', code: 20004 });
  await clock.advanceAsync(20_000);
  expect(tiles.get('a')?.again).not.toHaveBeenCalled();
});
