// The clock of many tiles, who is waited for, and what happens where nobody has footage; tiles are stood in for by the tests.
import { expect, test, vi } from 'vitest';
import { settlePromises } from '@vedette/foundation/time/fake-clock.fake.ts';
import { FakePlayerClock } from '../fake-player-clock.fake.ts';
import type { FootageSource } from './footage-source.ts';
import { PlaybackClock } from './playback-clock.ts';
import { PlaybackGroup } from './playback-group.ts';
import type { PlaybackTile, TileEvents } from './playback-tile.ts';
import { WAIT_MS } from './tile-pace.ts';

const AT = 1_700_000_000_000;
const SHOWN = { kind: 'shown' } as const;
const WAITING = { kind: 'waiting' } as const;
const HOST = {} as HTMLElement;

function source(recorded: { next?: number | null; previous?: number | null } = {}): FootageSource {
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
        setStill: vi.fn(),
        verify: vi.fn(() => Promise.resolve()),
        close: vi.fn(),
      } satisfies PlaybackTile;
      tiles.set(id, tile);
      return tile;
    },
    onClose: () => undefined,
  });
  const tell = (id: string, status: Parameters<TileEvents['onStatus']>[0]): void => events.get(id)?.onStatus(status);
  return { clock, group, events, tiles, tell, add: (id: string) => group.add(id, HOST, source(recorded)) };
}

test('the clock runs at its rate, stands while somebody holds it, and turns round', async () => {
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

test('all begin together: the clock stands until every tile has its picture', async () => {
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

test('a tile that does not come is left to catch up after a second, and joins again', async () => {
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

test('alone, a tile is waited for without end', async () => {
  const { clock, group, add } = stage();
  add('a');
  group.seek(AT);
  group.play();
  await clock.advanceAsync(60_000);
  expect(group.position).toBe(AT);
});

test('a tile that waits again and again shows key pictures, and tries all again later', async () => {
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

test('one tile in a gap shows it, and the others play on; where all are, the clock goes on behind it and says so', async () => {
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

test('footage a moment behind the clock is waited for once, then gone to', async () => {
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

test('backwards, the clock goes to the end of what was recorded before', async () => {
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

test('the end of what is recorded is said, is looked at again, and playback goes on by itself', async () => {
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

test('an instant behind all recordings says that nothing follows', async () => {
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

test('a tile that opens slowly is not taken for a slow machine; one that stops while it plays shows key pictures at once', async () => {
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

test('a clock that stands tells its tiles of places alone', () => {
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

test('[FT-17] where all have failed the clock stands, and they try again until playback goes on from there', async () => {
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

test('whoever has a picture does not wait for what tries again', async () => {
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

test('what was denied is not asked for again', async () => {
  const { clock, group, events, tiles, add } = stage();
  add('a');
  group.seek(AT);
  events.get('a')?.onEnd({ kind: 'denied', code: 20004 });
  await clock.advanceAsync(20_000);
  expect(tiles.get('a')?.again).not.toHaveBeenCalled();
});
