// Weekly plans: rows are validated by day and row, painting equals a naive second-by-second model.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paintSegment, type PlanSegment } from './paint.ts';
import { checkPlanRows } from './plan-rows.ts';
import { DAY_SECONDS, formatTimeOfDay, parseTimeOfDay } from './time-of-day.ts';

const row = (StartTime: string, EndTime: string) => ({ StartTime, EndTime });

describe('[VA-08] rows of a day', () => {
  it.each([
    ['nothing filled', [row('', '')], null],
    ['whole day', [row('00:00:00', '23:59:59')], null],
    ['touching rows', [row('08:00:00', '12:00:00'), row('12:00:00', '18:00:00')], null],
    ['no end', [row('08:00:00', '12:00:00'), row('13:00:00', '')], { kind: 'incomplete', day: 2, row: 2 }],
    ['no start', [row('', '13:00:00')], { kind: 'incomplete', day: 2, row: 1 }],
    ['end first', [row('12:00:00', '08:00:00')], { kind: 'startNotBeforeEnd', day: 2, row: 1 }],
    ['no length', [row('12:00:00', '12:00:00')], { kind: 'startNotBeforeEnd', day: 2, row: 1 }],
    ['24:00:00', [row('12:00:00', '24:00:00')], { kind: 'notATime', day: 2, row: 1 }],
    ['minutes of 60', [row('12:60:00', '13:00:00')], { kind: 'notATime', day: 2, row: 1 }],
    ['without seconds', [row('12:00', '13:00')], { kind: 'notATime', day: 2, row: 1 }],
    ['overlap', [row('08:00:00', '12:00:00'), row('11:59:59', '13:00:00')], { kind: 'overlap', day: 2, row: 2 }],
  ])('%s', (_title, rows, problem) => {
    expect(checkPlanRows(2, rows)).toEqual(problem);
  });

  it('names the day and the maximum when there are too many', () => {
    const rows = Array.from({ length: 9 }, (_, hour) => row(`0${hour}:00:00`, `0${hour}:30:00`));
    expect(checkPlanRows(3, rows)).toEqual({ kind: 'tooMany', day: 3, maximum: 8 });
  });
});

describe('[VA-08] [WG-05] painting', () => {
  const stroke = fc.record({
    start: fc.integer({ min: 0, max: 48 }),
    end: fc.integer({ min: 0, max: 48 }),
    type: fc.constantFrom(-1, 1, 2),
  });

  it('equals a naive model of half hours', () => {
    fc.assert(
      fc.property(fc.array(stroke, { maxLength: 30 }), (strokes) => {
        let day: readonly PlanSegment[] = [];
        const model = new Array<number>(48).fill(-1);
        for (const { start, end, type } of strokes) {
          const result = paintSegment(day, { start: start * 1800, end: end * 1800, type }, 100);
          if ('tooMany' in result) throw new Error('100 are never reached');
          day = result.segments;
          model.fill(type, Math.min(start, end), Math.max(start, end));
        }
        const painted = model.map(
          (_, slot) => day.find((s) => s.start <= slot * 1800 && slot * 1800 < s.end)?.type ?? -1,
        );
        expect(painted).toEqual(model);
        for (const [index, segment] of day.entries()) {
          const next = day[index + 1];
          if (next)
            expect(segment.end < next.start || (segment.end === next.start && segment.type !== next.type)).toBe(true);
        }
      }),
    );
  });

  it('refuses the ninth segment and keeps the day', () => {
    let day: readonly PlanSegment[] = [];
    for (let hour = 0; hour < 16; hour += 2) {
      const result = paintSegment(day, { start: hour * 3600, end: (hour + 1) * 3600, type: 1 });
      if ('segments' in result) day = result.segments;
    }
    expect(day).toHaveLength(8);
    expect(paintSegment(day, { start: 20 * 3600, end: 21 * 3600, type: 1 })).toEqual({ tooMany: 8 });
  });

  it('writes 24:00:00 as 23:59:59 and reads its own text', () => {
    expect(formatTimeOfDay(DAY_SECONDS)).toBe('23:59:59');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: DAY_SECONDS - 1 }), (seconds) => {
        expect(parseTimeOfDay(formatTimeOfDay(seconds))).toBe(seconds);
      }),
    );
  });
});
