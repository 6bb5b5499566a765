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
