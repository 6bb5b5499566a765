// Proves the text of a burn-in: seconds of the recording by zone, also over a jump of the clock, a gap, and names with special characters.
import { expect, test } from 'vitest';
import { burnInScript, type TimeAnchor } from './burn-in-script.ts';

const SIZE = { width: 640, height: 360 };
const SECOND = 90_000;

function lines(anchors: readonly TimeAnchor[], end: number, text: { name?: string; timeZone?: string } = {}): string[] {
  const script = burnInScript({ name: 'Gate', timeZone: 'Europe/Berlin', ...SIZE, ...text }, anchors, end);
  return script.split('\n').filter((line) => line.startsWith('Dialogue: '));
}

test('has a line for each second of the day, cut where the recording is', () => {
  const wallMs = Date.UTC(2026, 5, 1, 10, 0, 0, 400);
  expect(lines([{ at: 0, wallMs }], 1.5 * SECOND)).toEqual([
    'Dialogue: 0,0:00:00.00,0:00:00.60,Text,Gate\\h\\h2026-06-01 12:00:00 +02:00',
    'Dialogue: 0,0:00:00.60,0:00:01.50,Text,Gate\\h\\h2026-06-01 12:00:01 +02:00',
  ]);
});

test('counts from the first shown frame, not from frames that are decoded only', () => {
  const wallMs = Date.UTC(2026, 5, 1, 10);
  const [first] = lines([{ at: -2 * SECOND, wallMs }], SECOND);
  expect(first).toContain(',0:00:00.00,');
  expect(first).toContain('12:00:02');
});

test('goes on with the time of day after a gap, and tells the two equal hours of autumn apart', () => {
  const before = Date.UTC(2026, 9, 25, 0, 59, 59);
  const anchors = [
    { at: 0, wallMs: before },
    { at: SECOND, wallMs: before + 1000 },
    { at: 2 * SECOND, wallMs: before + 3_601_000 },
  ];
  expect(lines(anchors, 3 * SECOND).map((line) => line.slice(line.indexOf('2026')))).toEqual([
    '2026-10-25 02:59:59 +02:00',
    '2026-10-25 02:00:00 +01:00',
    '2026-10-25 03:00:00 +01:00',
  ]);
  expect(lines(anchors, SECOND, { timeZone: 'UTC' })[0]).toContain('2026-10-25 00:59:59 +00:00');
  expect(lines(anchors, SECOND, { timeZone: 'Asia/Kathmandu' })[0]).toContain('06:44:59 +05:45');
});

test('joins fragments within one second, also where their clock is a fraction early', () => {
  const wallMs = Date.UTC(2026, 5, 1, 10);
  const anchors = [
    { at: 0, wallMs },
    { at: SECOND / 2, wallMs: wallMs + 499.8 },
    { at: SECOND, wallMs: wallMs + 999.8 },
  ];
  expect(lines(anchors, 2 * SECOND)).toHaveLength(2);
});

test('writes a name as text, not as commands of the format', () => {
  const [line] = lines([{ at: 0, wallMs: 0 }], SECOND, { name: 'A{\\b1}\nB\\N' });
  expect(line).toContain('Text,A\\{\\\u2060b1\\} B\\\u2060N\\h\\h1970');
});
