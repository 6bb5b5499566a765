// Proves the clock ranges and the pattern of gaps.
import { expect, test } from 'vitest';
import { parseClockRange, writeClockRange } from './clock-range.ts';
import { recordedSpans } from './recorded-pattern.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

test('a clock range is read with and without an end, and refused when it is none', () => {
  expect(parseClockRange('clock=20261120T000000Z-20261120T010000.250Z', NOW)).toEqual({
    from: Date.parse('2026-11-20T00:00:00Z'),
    to: Date.parse('2026-11-20T01:00:00.250Z'),
  });
  expect(parseClockRange('clock=20261121T110000Z-', NOW)).toEqual({ from: NOW - 3_600_000, to: NOW });
  expect(parseClockRange('clock=20261121T110000Z-20261121T100000Z', NOW)).toBeNull();
  expect(parseClockRange('clock=20269921T110000Z-', NOW)).toBeNull();
  expect(writeClockRange({ from: NOW, to: NOW + 1500 })).toBe('clock=20261121T120000.000Z-20261121T120001.500Z');
});

test('between 10 and 35 percent of a day are missing, the same ones however it is asked', () => {
  const day = { from: NOW - 86_400_000, to: NOW };
  for (let seed = 1; seed <= 12; seed++) {
    const spans = recordedSpans(seed, day);
    const recorded = spans.reduce((sum, { from, to }) => sum + Math.min(to, day.to) - Math.max(from, day.from), 0);
    expect(1 - recorded / 86_400_000).toBeGreaterThan(0.1);
    expect(1 - recorded / 86_400_000).toBeLessThan(0.35);
    for (const span of spans.slice(1, -1))
      expect(recordedSpans(seed, { from: span.from + 1, to: span.from + 2 })).toEqual([span]);
  }
});
