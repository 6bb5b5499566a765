// Weekly plans as a whole: wire round trip, copying days, reshaping segments.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paintSegment, type PlanSegment } from './paint.ts';
import { DAY_SECONDS } from './time-of-day.ts';
import { copyDay, entriesOf, PLAN_DAYS, reshapeSegment, samePlan, segmentsFrom } from './week-plan.ts';

const day = fc
  .array(fc.record({ start: fc.nat(48), end: fc.nat(48), type: fc.constantFrom(1, 2, -1) }), { maxLength: 12 })
  .map((strokes) => {
    let segments: readonly PlanSegment[] = [];
    for (const { start, end, type } of strokes) {
      const painted = paintSegment(segments, { start: start * 1800, end: end * 1800, type }, 100);
      if ('segments' in painted) segments = painted.segments;
    }
    return segments;
  });

describe('[WG-04] [WG-05] a week', () => {
  it('has eight rows, Sunday first, the holiday last', () => {
    expect(PLAN_DAYS).toEqual([7, 1, 2, 3, 4, 5, 6, 8]);
  });

  it('round-trips through the wire format; midnight is sent as 23:59:59; Type -1 is no segment', () => {
    fc.assert(
      fc.property(day, (segments) => {
        expect(segmentsFrom(entriesOf(segments))).toEqual(segments);
      }),
    );
    expect(entriesOf([{ start: 0, end: DAY_SECONDS, type: 1 }])).toEqual([
      { StartTime: '00:00:00', EndTime: '23:59:59', Type: 1 },
    ]);
    expect(segmentsFrom([{ StartTime: '01:00:00', EndTime: '02:00:00', Type: -1 }])).toEqual([]);
    expect(segmentsFrom([{ StartTime: '02:00:00', EndTime: '01:00:00', Type: 1 }])).toEqual([]);
  });

  it('copies a day to others and keeps the rest', () => {
    const one = [{ start: 0, end: 3600, type: 1 }];
    const week = copyDay({ 1: one, 2: [], 3: [{ start: 5, end: 9, type: 2 }] }, 1, [2, 8]);
    expect(week).toEqual({ 1: one, 2: one, 3: [{ start: 5, end: 9, type: 2 }], 8: one });
    expect(samePlan(week, { ...week })).toBe(true);
    expect(samePlan(week, copyDay(week, 1, [4]))).toBe(false);
  });

  it('reshapes a segment: neighbours are cut, equal types merge', () => {
    const [first, second] = [
      { start: 0, end: 3600, type: 1 },
      { start: 7200, end: 9000, type: 2 },
    ];
    expect(reshapeSegment([first, second], first, { start: 600, end: 8000 })).toEqual([
      { start: 600, end: 8000, type: 1 },
      { start: 8000, end: 9000, type: 2 },
    ]);
    expect(reshapeSegment([first, { ...second, type: 1 }], first, { start: 0, end: 7200 })).toEqual([
      { start: 0, end: 9000, type: 1 },
    ]);
  });
});
