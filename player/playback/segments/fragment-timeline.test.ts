// Segments, seams and gaps over windows of 600 s.
import { expect, test } from 'vitest';
import { readFragmentIndex, type SegmentEntry } from './fragment-index.ts';
import { FragmentTimeline } from './fragment-timeline.ts';

const WINDOW = 600_000;
const T = 1_700_000_400_000;

function segments(...spans: readonly [from: number, to: number][]): SegmentEntry[] {
  const list = spans.map(([from, to]) => ({
    name: `${from}-0-4`,
    wallMs: T + from,
    durationMs: to - from,
    init: 'i',
    isBreak: false,
  }));
  return readFragmentIndex(JSON.stringify({ segments: list }), '/media/fragments/t/');
}

function line(): FragmentTimeline {
  const made = new FragmentTimeline(WINDOW);
  made.put(T, segments([-1000, 1000], [1000, 3000], [3200, 5000], [20_000, 22_000]));
  return made;
}

test('windows are aligned to a grid', () => {
  expect(T % WINDOW).toBe(0);
  expect(line().windowOf(T + 1)).toBe(T);
  expect(line().find(T - 5000)).toEqual({ kind: 'unknown', window: T - WINDOW });
});

test.each([
  ['the middle', 2000, 1000],
  ['a segment that began in the window before', 0, -1000],
  ['a seam shows what is before it', 3100, 1000],
  ['the last', 21_999, 20_000],
])('finds %s', (_title, at, start) => {
  expect(line().find(T + at)).toMatchObject({ kind: 'segment', segment: { startMs: T + start } });
});

test('gaps have the ends that are known', () => {
  expect(line().find(T + 10_000)).toEqual({ kind: 'gap', from: T + 5000, to: T + 20_000 });
  expect(line().find(T + 30_000)).toEqual({ kind: 'gap', from: T + 22_000, to: null });
  const both = line();
  both.put(T + WINDOW, segments([WINDOW + 7000, WINDOW + 9000]));
  expect(both.find(T + 30_000)).toEqual({ kind: 'gap', from: T + 22_000, to: T + WINDOW + 7000 });
  expect(both.find(T + WINDOW + 100)).toEqual({ kind: 'gap', from: T + 22_000, to: T + WINDOW + 7000 });
});

test('finds neighbours over a file boundary, before a gap and in another window', () => {
  const known = line();
  const [first, second, third] = segments([-1000, 1000], [1000, 3000], [3200, 5000]) as [
    SegmentEntry,
    SegmentEntry,
    SegmentEntry,
  ];
  expect(known.after(second)).toMatchObject({ kind: 'segment', segment: { startMs: T + 3200 } });
  expect(known.after(third)).toEqual({ kind: 'gap', from: T + 5000, to: T + 20_000 });
  expect(known.before(second)).toMatchObject({ kind: 'segment', segment: { startMs: T - 1000 } });
  expect(known.before(first)).toEqual({ kind: 'unknown', window: T - WINDOW });
});

test('a segment that grew is recognised under its longer name', () => {
  const known = line();
  const [grown] = segments([20_000, 26_000]);
  const longer = { ...(grown as SegmentEntry), name: '20000-0-9', id: '20000-0' };
  known.put(T, [longer]);
  expect(known.newest((segments([20_000, 22_000]) as [SegmentEntry])[0])).toBe(longer);
});
