// Rows of the timeline: the selected one tall, which one a pointer is on, and what its gaps say.
import { expect, test } from 'vitest';
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
