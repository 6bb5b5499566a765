// Proves that a time line keeps to the pace of arrival when a device's RTP clock runs at another pace, and only then.
import { expect, test } from 'vitest';
import { TrackTimeline } from './track-timeline.ts';

/** Pictures `everyMs` apart whose RTP times are `ticks` apart; answers line minus arrival in ms at every picture. */
function errors(minutes: number, everyMs: number, ticks: number, jitterMs: (index: number) => number): number[] {
  const line = new TrackTimeline({ clockRate: 90_000, outputRate: 90_000, followsArrival: true });
  line.stateReorder(0);
  line.anchor(0, 0);
  let last = -1;
  let mistakes = 0;
  const result = Array.from({ length: Math.floor((minutes * 60_000) / everyMs) }, (_, i) => {
    const rtp = Math.round(i * ticks) >>> 0;
    const now = i * everyMs + jitterMs(i);
    if (line.jumps(rtp, now)) mistakes += 1;
    line.next(rtp, i % 50 === 0, now, true);
    if (line.dts <= last) mistakes += 1;
    last = line.dts;
    return line.mediaMs - i * everyMs;
  });
  expect(mistakes).toBe(0);
  return result;
}

function worst(all: readonly number[]): number {
  return all.slice(200).reduce((most, error) => Math.max(most, Math.abs(error)), 0);
}

test.each([
  ['declared 25, sent 21', { everyMs: 1000 / 21, ticks: 3600, minutes: 60, mostMs: 1000 }],
  ['declared 30, sent 25', { everyMs: 40, ticks: 3000, minutes: 60, mostMs: 1000 }],
  ['declared 25, sent 12.5', { everyMs: 80, ticks: 3600, minutes: 10, mostMs: 2500 }],
  ['declared 25, sent 50', { everyMs: 20, ticks: 3600, minutes: 10, mostMs: 4500 }],
])('[FT-06] %s a second: the timeline stays with arrival', (_, { everyMs, ticks, minutes, mostMs }) => {
  const all = errors(minutes, everyMs, ticks, (i) => (i * 37) % 90);
  expect(worst(all)).toBeLessThan(mostMs);
});

test('a correct clock is not corrected through jitter or a network stall of five seconds', () => {
  const all = errors(5, 40, 3600, (i) => (i > 1000 && i < 1125 ? (1125 - i) * 40 : (i * 7919) % 200));
  expect(new Set(all.map((error) => Math.round(error)))).toEqual(new Set([0]));
});
