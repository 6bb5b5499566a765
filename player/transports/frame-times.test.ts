// Frames are found by their media times, newest first, and numbered in the order they came.
import { expect, test } from 'vitest';
import { FrameTimes } from './frame-times.ts';

test('a frame is found by its media time, as the browser rounds it', () => {
  const times = new FrameTimes();
  for (const number of [0, 1, 2]) times.add(number / 15, 1000 + number);
  expect(times.numberOf(0.066667)).toBe(1);
  expect(times.wallMsOf(1)).toBe(1001);
  expect(times.numberOf(0.1)).toBeNull();
});

test('numbers go on after the oldest frames are forgotten, and of one time said twice the newest counts', () => {
  const times = new FrameTimes();
  for (let number = 0; number < 300; number++) times.add(number, number);
  expect(times.numberOf(43)).toBeNull();
  expect(times.numberOf(44)).toBe(44);
  expect(times.wallMsOf(299)).toBe(299);
  times.add(250, 7);
  expect(times.numberOf(250)).toBe(300);
  expect(times.wallMsOf(300)).toBe(7);
});
