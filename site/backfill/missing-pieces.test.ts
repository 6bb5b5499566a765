// Which pieces are requested of a device and in which order: newest hours first, then the whole day ever finer.
import { expect, test } from 'vitest';
import { missingPieces } from './missing-pieces.ts';

const HOUR = 3_600_000;
/** A multiple of eight hours of the clock, and half an hour. */
const NOW = Date.parse('2026-11-21T16:30:00Z');
const at = (hours: number) => NOW - hours * HOUR;

test('pieces end at whole hours and leave out stored ranges, ignoring gaps of seconds', () => {
  const own = [
    { startTime: at(1.25), endTime: at(1), recordType: 1 },
    { startTime: at(1) + 3000, endTime: at(0.75), recordType: 1 },
  ] as const;
  const pieces = missingPieces([{ from: at(2), to: at(0) }], own, NOW);
  expect(pieces.map(({ from, to }) => [from, to])).toEqual([
    [at(0.5), at(0)],
    [at(0.75), at(0.5)],
    [at(1.5), at(1.25)],
    [at(2), at(1.5)],
  ]);
});

test('the newest hours come first, then every eighth, every fourth, every second and the others', () => {
  const pieces = missingPieces([{ from: at(24.5), to: at(0) }], [], NOW);
  const clock = pieces.map(({ from }) => new Date(from).getUTCHours());
  const wanted = ['16 15 14', '8 0 16', '12 4 20', '10 6 2 22 18', '13 11 9 7 5 3 1 23 21 19 17'];
  expect(clock.join(' ')).toBe(wanted.join(' '));
});

test('a completely stored day has no pieces', () => {
  const own = [{ startTime: at(25), endTime: NOW, recordType: 1 }] as const;
  expect(missingPieces([{ from: at(24), to: at(0) }], own, NOW)).toEqual([]);
  expect(missingPieces([{ from: at(3), to: at(3) + 4000 }], [], NOW)).toEqual([]);
  expect(missingPieces([{ from: at(3), to: at(3) + 4000 }], [], NOW, 2000)).toHaveLength(1);
});
