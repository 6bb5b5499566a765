// How tiles share the machine: counted, told of changes, and what is learned, kept and forgotten again.
import { describe, expect, test, vi } from 'vitest';
import { FakePlayerClock } from '../fake-player-clock.fake.ts';
import type { MemoryStore } from './transport-memory.ts';
import { TransportPolicy } from './transport-policy.ts';

const CODEC = 'avc1.64001f';
const decoders = { mse: true, webcodecs: null, hls: true } as const;

function memory(text: string | null = null): MemoryStore & { text: string | null } {
  return {
    text,
    getItem() {
      return this.text;
    },
    setItem(_key, value) {
      this.text = value;
    },
  };
}

function setUp(store: MemoryStore = memory(), clock = new FakePlayerClock()) {
  const policy = new TransportPolicy({ clock, store });
  const join = (count: number) => Array.from({ length: count }, () => policy.join(() => undefined));
  return { clock, policy, store, join };
}

const choiceOf = (seat: ReturnType<TransportPolicy['join']> | undefined) => seat?.choose(CODEC, decoders);

describe('the policy of a page', () => {
  test('[LV-01] counts the tiles that decode and notifies them when its choice changes', async () => {
    const { policy, clock, join } = setUp();
    const onChange = vi.fn<() => void>();
    const first = policy.join(onChange);
    await clock.advanceAsync(1000);
    expect(choiceOf(first)?.kind).toBe('webcodecs');
    onChange.mockClear();
    const others = join(4);
    await clock.advanceAsync(1000);
    expect(onChange).toHaveBeenCalledOnce();
    expect(choiceOf(first)).toEqual({ kind: 'mse', because: 'manyTiles' });
    others[0]?.setAway(true);
    expect(choiceOf(first)?.kind).toBe('webcodecs');
    others[0]?.setAway(false);
    others[1]?.leave();
    expect(choiceOf(first)?.kind).toBe('webcodecs');
  });

  test('PTZ control of one camera switches its tile to low latency at once, and only while it lasts', () => {
    const { policy, join } = setUp();
    join(15);
    const onChange = vi.fn<() => void>();
    const seat = policy.join(onChange);
    seat.setLowLatency(true);
    expect(onChange).toHaveBeenCalledOnce();
    expect(choiceOf(seat)).toEqual({ kind: 'webcodecs', because: 'latency' });
    seat.setLowLatency(false);
    expect(choiceOf(seat)?.kind).toBe('mse');
  });

  test('a lag lowers the number of low-latency tiles, across a reload, for a while', async () => {
    const store = memory();
    const { join, clock } = setUp(store);
    const [seat] = join(3);
    seat?.lagged();
    expect(choiceOf(seat)).toEqual({ kind: 'mse', because: 'lagged' });
    const reloaded = setUp(store, clock).join(3)[0];
    expect(choiceOf(reloaded)).toEqual({ kind: 'mse', because: 'lagged' });
    await clock.advanceAsync(11 * 60_000);
    expect(choiceOf(reloaded)?.kind).toBe('webcodecs');
    expect(choiceOf(seat)?.kind).toBe('webcodecs');
  });

  test('a fast machine may decode nine tiles with low latency', () => {
    const { join } = setUp();
    const seats = join(4);
    for (const seat of seats.slice(0, 2)) seat.measured(3);
    const wall = [...seats, ...join(5)];
    expect(choiceOf(wall[0])?.kind).toBe('mse');
    for (const seat of seats) seat.measured(3);
    expect(choiceOf(wall[0])?.kind).toBe('webcodecs');
    join(1);
    expect(choiceOf(wall[0])?.kind).toBe('mse');
  });

  test('a slow machine may not decode nine', () => {
    const { join } = setUp();
    const seats = join(5);
    for (const seat of seats) seat.measured(25);
    expect(choiceOf(seats[0])?.kind).toBe('mse');
  });

  test('a codec that the browser refused is refused for all tiles, a stream that failed only for its own', () => {
    const { join } = setUp();
    const [first, second] = join(2);
    first?.failed('webcodecs');
    expect(choiceOf(first)).toEqual({ kind: 'mse', because: 'failed' });
    expect(choiceOf(second)?.kind).toBe('webcodecs');
    first?.refused('mse', CODEC);
    expect(choiceOf(first)).toBeNull();
    second?.refused('webcodecs', CODEC);
    expect(choiceOf(second)).toBeNull();
    expect(second?.choose('hvc1.1.6.L93.B0', decoders)?.kind).toBe('webcodecs');
  });

  test('a blocked socket is remembered until it connects', () => {
    const store = memory();
    const { policy, join, clock } = setUp(store);
    policy.isSocketBlocked = true;
    expect(choiceOf(join(1)[0])).toEqual({ kind: 'hls', because: 'noSocket' });
    const reloaded = setUp(store, clock);
    expect(reloaded.policy.isSocketBlocked).toBe(true);
    reloaded.policy.isSocketBlocked = false;
    expect(setUp(store, clock).policy.isSocketBlocked).toBe(false);
  });

  test.each([
    '{',
    'null',
    '[]',
    '{"version":0}',
    '{"version":1}',
    '{"version":1,"failures":{}}',
  ])('ignores stored data that it did not write: %s', (text) => {
    const { join } = setUp(memory(text));
    expect(choiceOf(join(1)[0])).toEqual({ kind: 'webcodecs', because: 'fewTiles' });
  });
});
