// Times of day as people type them.
import { expect, test } from 'vitest';
import { parseClock } from './parse-clock.ts';

test.each([
  ['9', [9, 0, 0]],
  ['905', [9, 5, 0]],
  ['9:05', [9, 5, 0]],
  ['14:30:20', [14, 30, 20]],
  ['143020', [14, 30, 20]],
  [' 0:00 ', [0, 0, 0]],
  ['8：15', [8, 15, 0]],
  ['2:30 pm', [14, 30, 0]],
  ['12:05:09AM', [0, 5, 9]],
])('%s', (text, [hour, minute, second]) => {
  expect(parseClock(text)).toEqual({ hour, minute, second });
});

test.each([
  '',
  '24:00',
  '12:60',
  '1:2:3:4',
  'noon',
  '12:',
  '-1',
  '99',
  '1234567',
  '13 pm',
  '0:10 am',
  'pm',
])('%j is no time', (text) => {
  expect(parseClock(text)).toBeNull();
});
