// Removal by age, quota and budget, oldest unlocked first, against a model; what is locked stays whatever happens.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RetentionLocks } from './retention-locks.ts';
import { RecordingsStore } from './recordings-store.ts';
import { INDEX_ENTRY_BYTES } from './index-record.ts';
import { createDisk } from './disk.ts';
import { type CopyPlace, type RetentionLimits, sweep } from './retention.ts';

const DAY = 86_400_000;
const MB = 1_000_000;
const NONE: RetentionLimits = { budgetBytes: 1e15, reserveBytes: 0 };

/** Files of 10 MB and a minute each, one after the other; nothing of it is on a disk. */
function storeOf(channels: Readonly<Record<string, number>>, firstMs = 0) {
  const store = new RecordingsStore({ disk: createDisk(), folder: '/nonexistent' });
  for (const [channelId, count] of Object.entries(channels)) {
    const entries = Array.from({ length: count }, (_, n) => {
      const startMs = firstMs + n * 60_000;
      return { startMs, endMs: startMs + 60_000, mediaBytes: 10 * MB, records: 0 };
    });
    store.load([{ key: { channelId, quality: 0 }, entries }]);
  }
  return store;
}

const left = (store: RecordingsStore, channelId: string) =>
  store.files({ channelId, quality: 0 }, 0, 1e15).map((file) => file.startMs / 60_000);

interface Case {
  readonly store: RecordingsStore;
  readonly limits?: RetentionLimits;
  readonly locks?: Pick<RetentionLocks, 'isLocked'>;
  readonly quotaBytes?: (channelId: string) => number | null;
  readonly retentionDays?: number;
  readonly now?: number;
  readonly freeBytes?: () => number;
  readonly isRefused?: boolean;
  readonly isEmpty?: (channelId: string, startMs: number, endMs: number) => boolean;
  readonly examinesAll?: boolean;
}

function run(one: Case) {
  return sweep({
    store: one.store,
    limits: one.limits ?? NONE,
    rules: {
      retentionDays: () => one.retentionDays ?? null,
      quotaBytes: one.quotaBytes ?? (() => null),
      isLocked: (channelId, startMs, endMs) => one.locks?.isLocked(channelId, startMs, endMs) ?? false,
      ...(one.isEmpty && { isEmpty: one.isEmpty }),
    },
    examinesAll: one.examinesAll ?? true,
    now: one.now ?? 0,
    freeBytes: () => Promise.resolve(one.freeBytes?.() ?? 1e15),
    isRefused: one.isRefused ?? false,
  });
}

describe('empty recordings', () => {
  /** Somebody is seen in the minutes 2 and 5; after minute 7 it is too early. */
  const isEmpty = (channelId: string, startMs: number) =>
    channelId === 'a' && startMs < 7 * 60_000 && ![2, 5].includes(startMs / 60_000);

  it('are removed early, between those that are kept, unless they are locked', async () => {
    const store = storeOf({ a: 10, b: 3 });
    const locks = new RetentionLocks([{ channelId: 'a', locks: [{ startTime: 180_001, endTime: 240_000 }] }]);
    expect(await run({ store, isEmpty, locks, examinesAll: false })).toMatchObject({ filesRemoved: 0 });
    expect(await run({ store, isEmpty, locks })).toMatchObject({ filesRemoved: 4, blockage: null });
    expect(left(store, 'a')).toEqual([2, 3, 5, 7, 8, 9]);
    expect(left(store, 'b')).toEqual([0, 1, 2]);
    const range = { from: 120_000, to: 600_000 };
    const gaps = store.gaps({ channelId: 'a', quality: 0 }, range, 600_000);
    expect(gaps).toEqual([
      { startTime: 240_000, endTime: 300_000, reason: 'empty' },
      { startTime: 360_000, endTime: 420_000, reason: 'empty' },
    ]);
  });

  it('stay where they are locked while others are removed', async () => {
    const store = storeOf({ a: 10 });
    const isLocked = (_channelId: string, startMs: number) => startMs >= 180_000 && left(store, 'a').length < 10;
    await run({ store, isEmpty, locks: { isLocked } });
    expect(left(store, 'a')).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('are no reason to keep others beyond the budget', async () => {
    const store = storeOf({ a: 10 });
    await run({ store, isEmpty, limits: { budgetBytes: 45 * MB, reserveBytes: 0 } });
    expect(left(store, 'a')).toEqual([5, 7, 8, 9]);
  });
});

describe('locks', () => {
  const lock = (from: number, to: number) =>
    new RetentionLocks([{ channelId: 'a', locks: [{ startTime: from * 60_000 + 1, endTime: to * 60_000 }] }]);

  it('protect every file that they overlap, from age and from budget', async () => {
    const store = storeOf({ a: 10 });
    await run({ store, locks: lock(2, 4), retentionDays: 1, now: DAY + 6 * 60_000 + 1 });
    expect(left(store, 'a')).toEqual([2, 3, 6, 7, 8, 9]);
    const budget = { budgetBytes: 35 * MB, reserveBytes: 0 };
    expect(await run({ store, locks: lock(2, 4), limits: budget })).toMatchObject({ blockage: null });
    expect(left(store, 'a')).toEqual([2, 3, 9]);
  });

  it('[FT-12] that fill the budget are reported, and recording goes on', async () => {
    const store = storeOf({ a: 10 });
    const report = await run({ store, locks: lock(0, 10), limits: { budgetBytes: 50 * MB, reserveBytes: 0 } });
    expect(report).toMatchObject({ filesRemoved: 0, blockage: 'locked', hasRoom: true });
  });

  it('that fill the disk stop recording and are not removed', async () => {
    const store = storeOf({ a: 3 });
    const full = { store, locks: lock(0, 3), limits: { budgetBytes: 1e15, reserveBytes: 5 * MB }, freeBytes: () => 0 };
    expect(await run(full)).toMatchObject({ filesRemoved: 0, blockage: 'locked', hasRoom: false });
    expect(await run({ ...full, limits: NONE, isRefused: true })).toMatchObject({ blockage: 'locked', hasRoom: false });
    expect(left(store, 'a')).toEqual([0, 1, 2]);
  });

  it('equal a naive model', () => {
    const range = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(fc.array(range, { maxLength: 8 }), range, (ranges, [from, length]) => {
        const locks = ranges.map(([start, span]) => ({ startTime: start, endTime: start + span }));
        const table = new RetentionLocks([{ channelId: 'a', locks }]);
        const naive = locks.some((one) => one.startTime < from + length && one.endTime > from);
        expect(table.isLocked('a', from, from + length)).toBe(naive);
        expect(table.isLocked('b', from, from + length)).toBe(false);
      }),
    );
  });
});

describe('age over turns of the calendar', () => {
  it.each([
    ['a turn of the year', '2027-12-31T23:58:00Z'],
    ['a leap day', '2028-02-28T23:58:00Z'],
    ['the end of a leap day', '2028-02-29T23:58:00Z'],
    ['clocks that go forward', '2026-03-29T00:58:00Z'],
    ['clocks that go back', '2026-10-25T00:58:00Z'],
  ])('a day is 24 hours, and each minute goes when it is that old: %s', async (_what, first) => {
    const firstMs = Date.parse(first);
    const store = storeOf({ a: 5 }, firstMs);
    const kept = async (now: number) => {
      await run({ store, retentionDays: 1, now });
      return left(store, 'a').map((minute) => minute - firstMs / 60_000);
    };
    // A file goes once its last picture is older; the newest stays.
    for (const gone of [1, 2, 3, 4]) {
      const end = firstMs + DAY + gone * 60_000;
      expect(await kept(end)).toEqual([0, 1, 2, 3, 4].slice(gone - 1));
      expect(await kept(end + 1)).toEqual([0, 1, 2, 3, 4].slice(gone));
    }
  });
});

it('a channel over its quota loses its oldest files, the others none', async () => {
  const store = storeOf({ a: 10, b: 10 });
  await run({ store, quotaBytes: (channelId) => (channelId === 'a' ? 42 * MB : null) });
  expect(left(store, 'a')).toEqual([6, 7, 8, 9]);
  expect(left(store, 'b')).toHaveLength(10);
  expect(store.channelUsage().get('a')).toBe(40 * MB + 4 * INDEX_ENTRY_BYTES);
});

it('[FT-13] a disk filled by others with nothing of ours left is reported as such', async () => {
  const store = storeOf({});
  expect(await run({ store, limits: { budgetBytes: 1e15, reserveBytes: 1 }, freeBytes: () => 0 })).toMatchObject({
    blockage: 'othersFull',
    hasRoom: false,
  });
});

it('[FT-12] removes the oldest of all channels until the budget holds again', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ a: fc.integer({ min: 0, max: 30 }), b: fc.integer({ min: 0, max: 30 }) }),
      fc.integer({ min: 20, max: 700 }),
      async (channels, budgetMb) => {
        const store = storeOf(channels);
        const { blockage } = await run({ store, limits: { budgetBytes: budgetMb * MB, reserveBytes: 0 } });
        expect(blockage).toBeNull();
        expect(store.usedBytes).toBeLessThanOrEqual(budgetMb * MB);
        const [a, b] = [left(store, 'a'), left(store, 'b')];
        // What is left is the newest of both: no removed file is newer than one that stayed.
        const removedNewest = Math.max(channels.a - a.length, channels.b - b.length) - 1;
        for (const stayed of [...a, ...b]) expect(stayed).toBeGreaterThanOrEqual(removedNewest);
      },
    ),
    { numRuns: 60 },
  );
});

describe('copies in object stores', () => {
  /** Of files 0 to 5: two are only in the store, two also, and two wait. */
  const PLACES: readonly CopyPlace[] = ['remote', 'remote', 'verified', 'verified', 'awaited', 'awaited'];
  const key = { channelId: 'a', quality: 0 } as const;

  async function sweptBy(limits: RetentionLimits, { untilMs, now }: { untilMs: number; now: number }) {
    const store = storeOf({ a: 6 });
    const places = [...PLACES];
    for (const minute of [0, 1]) store.released(key, minute * 60_000);
    const released: number[] = [];
    await sweep({
      store,
      limits,
      now,
      rules: {
        retentionDays: () => 1,
        quotaBytes: () => null,
        isLocked: () => false,
        copies: {
          placeOf: (_key, { startMs }) => places[startMs / 60_000] ?? 'none',
          untilOf: () => untilMs,
          release: async (_key, startMs) => {
            released.push(startMs / 60_000);
            places[startMs / 60_000] = 'remote';
            store.released(key, startMs);
          },
        },
      },
      freeBytes: () => Promise.resolve(1e15),
      isRefused: false,
    });
    return { left: left(store, 'a'), released };
  }

  it('[FT-28] age frees only what has a copy, and nothing that waits', async () => {
    expect(await sweptBy(NONE, { untilMs: 1e15, now: 3 * DAY })).toEqual({
      left: [0, 1, 2, 3, 4, 5],
      released: [2, 3],
    });
  });

  it('go with their own time', async () => {
    expect(await sweptBy(NONE, { untilMs: 2 * DAY, now: 3 * DAY })).toEqual({ left: [4, 5], released: [] });
  });

  it('[FT-28] a full disk takes what waits last of all, and what takes no room never', async () => {
    const most = (files: number): RetentionLimits => ({ budgetBytes: (files + 0.5) * 10 * MB, reserveBytes: 0 });
    expect(await sweptBy(most(2), { untilMs: 1e15, now: 0 })).toEqual({ left: [0, 1, 2, 3, 4, 5], released: [2, 3] });
    expect(await sweptBy(most(1), { untilMs: 1e15, now: 0 })).toEqual({ left: [0, 1, 2, 3, 5], released: [2, 3] });
  });
});
