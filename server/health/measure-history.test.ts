// Measures of the last hour.
import { expect, it } from 'vitest';
import { MeasureHistory } from './measure-history.ts';

it('keeps the newest values of each name, with gaps where it was not measured', () => {
  const history = new MeasureHistory(3);
  history.add(new Map([['a', 1]]));
  history.add(new Map([['b', 7]]));
  history.add(new Map([['a', 3]]));
  history.add(new Map([['a', 4]]));
  expect(history.of('a')).toEqual([null, 3, 4]);
  expect(history.newest('a')).toBe(4);
  expect(history.of('b')).toEqual([7, null, null]);
  history.add(new Map());
  expect(history.of('b')).toEqual([]);
  expect(history.newest('b')).toBeNull();
});

it('a long course is drawn in few points, the mean of each', () => {
  const history = new MeasureHistory(360);
  for (let at = 0; at < 360; at += 1) history.add(new Map(at % 3 === 0 && at < 300 ? [] : [['a', at]]));
  expect(history.of('a')).toHaveLength(359);
  const course = history.course('a');
  expect(course).toHaveLength(120);
  expect(course.at(-1)).toBe(358);
  expect(course.every((value, at) => at === 0 || (value ?? 0) > (course[at - 1] ?? 0))).toBe(true);
});
