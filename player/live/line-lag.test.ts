// Pictures over lines of different width.
import { expect, test } from 'vitest';
import { LineLag } from './line-lag.ts';

const FRAME_MS = 40;

/** @param delayOf how late the picture of a moment arrives, ms; answers when it was told, ms after the start, or null */
function watch(delayOf: (at: number) => number, lengthMs = 60_000, lag = new LineLag()): number | null {
  for (let at = 0; at < lengthMs; at += FRAME_MS) {
    const arrivesAt = at + delayOf(at);
    if (lag.add(1_800_000_000_000 + at, arrivesAt)) return arrivesAt;
  }
  return null;
}

test('[FT-33] a line that carries half of the stream is told within ten seconds', () => {
  expect(watch((at) => 200 + at)).toBeLessThan(13_000);
  expect(watch((at) => 200 + at)).toBeGreaterThan(4000);
});

test('a line that is only far away, or jitters, is none', () => {
  expect(watch(() => 5000)).toBeNull();
  expect(watch((at) => 200 + ((at * 7) % 900))).toBeNull();
});

test('a clock that runs wrong by half a thousandth is none, for hours', () => {
  expect(watch((at) => at / 2000, 2 * 3_600_000)).toBeNull();
});

test('a pause of three seconds that is caught up is none', () => {
  expect(watch((at) => (at > 10_000 && at < 13_000 ? 13_000 - at : 0))).toBeNull();
});

test('the pictures that a stream begins with are older, and count as soon as newer ones come', () => {
  expect(watch((at) => Math.max(0, 3000 - at))).toBeNull();
});

test('a clock that steps back is another clock, and a pause of the page ends what was seen', () => {
  const lag = new LineLag();
  expect(watch(() => 100, 5000, lag)).toBeNull();
  expect(watch(() => 60_000, 10_000, lag)).toBeNull();
  lag.reset();
  expect(watch(() => 120_000, 10_000, lag)).toBeNull();
});
