// For how many further cameras a machine has room.
import { expect, it } from 'vitest';
import { roomFor } from './room.ts';

it('tells nothing before the first frame', () => {
  expect(roomFor({ msPerPicture: null, usedPercent: 0, capPercent: 50, processors: 2 })).toBeNull();
});

it('divides what is left of the cap by what a camera costs that moves a fifth of the time', () => {
  // A core is free: 15 ms × 4 a second are 6 % and decoding 1.9 %, a fifth of the time, beside 0.6 % for keyframes.
  expect(roomFor({ msPerPicture: 15, usedPercent: 0, capPercent: 50, processors: 2 })).toBe(
    Math.floor(100 / (0.6 + 0.2 * 7.9)),
  );
  expect(roomFor({ msPerPicture: 15, usedPercent: 50, capPercent: 50, processors: 2 })).toBe(0);
  expect(roomFor({ msPerPicture: 15, usedPercent: 80, capPercent: 50, processors: 2 })).toBe(0);
});
