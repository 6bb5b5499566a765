// Proves the decode time line: wrapping times, jumps, B-pictures stated or not, and that it never goes back.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TrackTimeline } from './track-timeline.ts';

const FRAME = 3600;

function video(depth: number | null): TrackTimeline {
  const timeline = new TrackTimeline({ clockRate: 90_000, outputRate: 90_000 });
  timeline.stateReorder(depth);
  return timeline;
}

/** Feeds RTP times 40 ms apart on the monotonic clock; answers [dts, cts] of each. */
function feed(
  timeline: TrackTimeline,
  times: readonly number[],
  isKey: (index: number) => boolean = (index) => index === 0,
): [number, number][] {
  return times.map((time, index) => {
    if (!timeline.isAnchored) timeline.anchor(time, 0);
    timeline.next(time, isKey(index), index * 40, true);
    return [timeline.dts, timeline.ctsOffset];
  });
}

test('timestamps continue across a wrap', () => {
  const result = feed(video(0), [0xffffffff - FRAME + 1, 0, FRAME]);
  expect(result.map(([dts]) => dts - (result[0]?.[0] ?? 0))).toEqual([0, FRAME, 2 * FRAME]);
});

test('declared B-frames: decode times are even and never after presentation times', () => {
  const order = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8];
  const result = feed(
    video(1),
    order.map((n) => 1_000_000 + n * FRAME),
  );
  const shown = result.map(([dts, cts]) => dts + cts);
  expect(shown.map((pts) => (pts - (shown[0] ?? 0)) / FRAME)).toEqual(order);
  expect(result.slice(1).map(([dts], i) => dts - (result[i]?.[0] ?? 0))).toEqual(order.slice(1).map(() => FRAME));
  for (const [, cts] of result) expect(cts).toBeGreaterThanOrEqual(0);
});

test('undeclared B-frames are detected by the next keyframe', () => {
  const gop = [0, 3, 1, 2, 6, 4, 5];
  const times = [0, 7, 14].flatMap((start) => gop.map((n) => (start + n) * FRAME));
  const result = feed(video(null), times, (index) => index % 7 === 0);
  for (const [, cts] of result.slice(14)) expect(cts).toBeGreaterThanOrEqual(0);
  const shown = result.slice(14).map(([dts, cts]) => dts + cts);
  expect(shown.map((pts) => (pts - (shown[0] ?? 0)) / FRAME)).toEqual(gop);
});

test('small backward timestamps without B-frames cause no delay', () => {
  const result = feed(video(0), [0, FRAME, FRAME - 100, 2 * FRAME]);
  expect(result.map(([, cts]) => cts)).toEqual([0, 0, 0, 0]);
});

test('jumps are distinguished from pauses', () => {
  const timeline = video(0);
  timeline.anchor(0, 0);
  timeline.next(0, true, 0, true);
  expect(timeline.jumps(FRAME, 40)).toBe(false);
  expect(timeline.jumps(30 * 90_000, 40)).toBe(true);
  expect(timeline.jumps(30 * 90_000, 29_000)).toBe(false);
  expect(timeline.jumps(0x80000000, 40)).toBe(true);
  expect(timeline.jumps((-5 * 90_000) >>> 0, 40)).toBe(true);
});

test('decode times are monotonic for any timestamps', () => {
  const step = fc.record({
    time: fc.nat(0xffffffff),
    near: fc.boolean(),
    key: fc.boolean(),
    depth: fc.constantFrom(null, 0, 1, 2),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const timeline = video(null);
      let time = 0;
      let last = -1;
      steps.forEach(({ time: next, near, key, depth }, index) => {
        time = near ? (time + (next % 20_000) - 6000) >>> 0 : next;
        if (key) timeline.stateReorder(depth);
        if (timeline.jumps(time, index * 40)) timeline.restart();
        if (!timeline.isAnchored) timeline.anchor(time, index * 40);
        timeline.next(time, key, index * 40, true);
        expect(timeline.dts).toBeGreaterThan(last);
        expect(Number.isSafeInteger(timeline.dts)).toBe(true);
        last = timeline.dts;
      });
    }),
  );
});
