// Rows of the timeline: the selected one tall, which one a pointer is on, and what its gaps say.
import { expect, test } from 'vitest';
import { paintSeen, seenAt } from './seen-ranges.ts';
import { gapAt, placeRows, rowAt, type TimelineRow, TRACKS_TOP } from './timeline-rows.ts';

const rows = (count: number): TimelineRow[] =>
  Array.from({ length: count }, (_, at) => ({
    key: `c${at}`,
    name: `Camera ${at}`,
    spans: [],
    gaps: [{ start: 1000 * at, end: 1000 * at + 500, reason: 'The camera was offline.' }],
  }));

test('one row is tall, of several the selected one, and sixteen stay low', () => {
  expect(placeRows(rows(1), null)).toMatchObject({ height: 96, rows: [{ height: 30, isSelected: true }] });
  const four = placeRows(rows(4), 'c2');
  expect(four.rows.map(({ height }) => height)).toEqual([12, 12, 30, 12]);
  expect(placeRows(rows(16), 'c0').height).toBeLessThan(280);
  expect(placeRows([], null).height).toBe(96);
});

test('every height is on one row, the ruler on none', () => {
  const layout = placeRows(rows(4), 'c2');
  for (const row of layout.rows) {
    expect(rowAt(layout, row.top)?.key).toBe(row.key);
    expect(rowAt(layout, row.top + row.height)?.key).toBe(row.key);
  }
  expect(rowAt(layout, TRACKS_TOP - 10)).toBeNull();
  expect(rowAt(layout, 1000)?.key).toBe('c3');
});

test('a gap has a reason where one is known', () => {
  const [, second = null] = rows(2);
  expect(gapAt(second, 1200)?.reason).toBe('The camera was offline.');
  expect(gapAt(second, 1600)).toBeNull();
  expect(gapAt(null, 1200)).toBeNull();
});

test('lines of seen objects stand below their row and belong to it', () => {
  const seen = [
    { objectClass: 'person', start: 1000, end: 2000 },
    { objectClass: 'vehicle', start: 1500, end: 3000 },
    { objectClass: 'person', start: 4000, end: 5000 },
  ] as const;
  const layout = placeRows(
    rows(2).map((row, at) => (at === 0 ? { ...row, seen } : row)),
    'c0',
  );
  expect(layout.rows.map(({ seenHeight: below }) => below)).toEqual([14, 0]);
  const [first, second] = layout.rows;
  expect(second?.top).toBe((first?.top ?? 0) + 30 + 14 + 2);
  expect(rowAt(layout, (second?.top ?? 0) - 3)?.key).toBe('c0');
  expect(seenAt(seen, 1600)).toEqual(['person', 'vehicle']);
  expect(seenAt(seen, 3500)).toEqual([]);
});

test('seen ranges become bars of what pixels can show, patterned by class', () => {
  const seen = [0, 4, 40].map((start) => ({ objectClass: 'person' as const, start, end: start + 1 }));
  const cars = { objectClass: 'vehicle' as const, start: 0, end: 100 };
  const drawn: number[][] = [];
  const context = { fillStyle: '', fillRect: (...box: number[]) => drawn.push(box) };
  const colours = { person: 'a', vehicle: 'b', bicycle: 'c', animal: 'd', bag: 'e' };
  const area = { top: 10, width: 20, isTall: false, xOf: (at: number) => at / 10, colours };
  paintSeen(context as unknown as CanvasRenderingContext2D, [cars, ...seen], area);
  expect(drawn.slice(0, 2)).toEqual([
    [0, 11, 2, 3],
    [4, 11, 2, 3],
  ]);
  expect(drawn.slice(2).map(([x]) => x)).toEqual([0, 4, 8]);
});
