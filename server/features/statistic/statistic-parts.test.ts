// Tests of the parts of statistics: values in the places of their units, and breakdowns in order.
import { periodBefore, periodOf } from '@vedette/rules/statistics/period.ts';
import { describe, expect, it } from 'vitest';
import { breakdownOf, courseOf, percentOf } from './statistic-parts.ts';

const DAY = 86_400_000;
const now = Date.parse('2026-10-27T12:00:00Z');
const timeZone = 'Europe/Berlin';
const period = periodOf({ range: 'week' }, now, timeZone);
const question = { period, before: periodBefore(period, timeZone), now };
const counted = { valueOf: (row: { startTime: number; count: number }) => row.count, none: 0 };

describe('courseOf', () => {
  it('places rows in the period or the one before, across a change of clocks', () => {
    const [first = 0] = period.starts;
    const rows = [
      { startTime: first, count: 1 },
      { startTime: period.starts[6] ?? 0, count: 7 },
      { startTime: question.before.starts[2] ?? 0, count: 3 },
    ];
    expect(courseOf(question, rows, counted)).toEqual({
      valueList: [1, 0, 0, 0, 0, 0, 7],
      beforeList: [0, 0, 3, 0, 0, 0, 0],
    });
  });

  it('places a day that was counted in another zone in the day in which it began', () => {
    const [, second = 0] = period.starts;
    const rows = [{ startTime: second + 3 * 3_600_000, count: 5 }];
    expect(courseOf(question, rows, counted).valueList).toEqual([0, 5, 0, 0, 0, 0, 0]);
  });

  it('leaves open what lies in the future, and what came before everything', () => {
    const future = periodOf({ range: 'custom', startTime: now - DAY, endTime: now + 5 * DAY }, now, timeZone);
    const course = courseOf({ ...question, period: future }, [{ startTime: 0, count: 9 }], counted);
    expect(course.valueList).toEqual([0, 0, null, null, null, null, null]);
  });
});

describe('breakdownOf', () => {
  const rows = [
    { key: 'a', name: 'A', isBefore: false, part: 10, whole: 100 },
    { key: 'b', name: 'B', isBefore: false, part: 40, whole: 50 },
    { key: 'b', name: 'B', isBefore: false, part: 10, whole: 50 },
    { key: 'c', name: 'C', isBefore: true, part: 1, whole: 4 },
  ];
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const valueOf = (parts: readonly (typeof rows)[number][]) =>
    percentOf(sum(parts.map(({ part }) => part)), sum(parts.map(({ whole }) => whole)));
  const breakdown = { breakdown: 'onlineByDevice', unit: 'percent', valueOf } as const;

  it('puts the largest first, and last what has nothing in the period', () => {
    expect(breakdownOf(rows, breakdown).rowList).toEqual([
      { key: 'b', name: 'B', value: 50, before: null },
      { key: 'a', name: 'A', value: 10, before: null },
      { key: 'c', name: 'C', value: null, before: 25 },
    ]);
  });

  it('puts the smallest first where that is asked for, and still last what has nothing', () => {
    const { rowList } = breakdownOf(rows, { ...breakdown, smallestFirst: true });
    expect(rowList.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
  });

  it('answers a hundred rows, and how many there are', () => {
    const many = Array.from({ length: 150 }, (_none, at) => ({ ...rows[0], key: `k${at}`, name: '', isBefore: false }));
    const { total, rowList } = breakdownOf(many as typeof rows, breakdown);
    expect([total, rowList.length]).toEqual([150, 100]);
  });
});
