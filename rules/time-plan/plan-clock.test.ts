// Plans read second by second: week days, midnight, holidays, leap days and clock changes in zones of every kind.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlanClock, type PlanTable } from './plan-clock.ts';
import { checkPlanDays } from './plan-days.ts';

const entry = (StartTime: string, EndTime: string, Type = 1) => ({ StartTime, EndTime, Type });
const daily = (entries: PlanTable['days'][number]['entryList']) =>
  Array.from({ length: 7 }, (_, index) => ({ day: index + 1, entryList: entries }));
const table = (more: Partial<PlanTable>): PlanTable => ({ days: [], holidays: [], timeZone: 'UTC', ...more });

/** Spans of a type between two instants, found second by second with a fresh clock each time. */
function spans(plan: PlanTable, from: number, to: number, type = 1): [number, number][] {
  const found: [number, number][] = [];
  const clock = new PlanClock(plan);
  for (let at = from; at < to; at += 1000) {
    if (clock.at(at).type !== type) continue;
    const last = found.at(-1);
    if (last && last[1] === at) last[1] = at + 1000;
    else found.push([at, at + 1000]);
  }
  return found;
}

describe('[FT-48] a plan is followed to the second', () => {
  it('from the first second of an entry to the last before its end; 23:59:59 as an end means midnight', () => {
    const plan = table({ days: daily([entry('08:00:00', '12:00:00'), entry('22:00:00', '23:59:59')]) });
    const day = Date.UTC(2026, 1, 28);
    expect(spans(plan, day, day + 2 * 86_400_000)).toEqual(
      [0, 86_400_000].flatMap((of) => [
        [day + of + 8 * 3_600_000, day + of + 12 * 3_600_000],
        [day + of + 22 * 3_600_000, day + of + 24 * 3_600_000],
      ]),
    );
  });

  it('by the weekday of the zone, on 29 February and at the turn of the year too', () => {
    const saturday = [{ day: 6, entryList: [entry('00:00:00', '23:59:59', 2)] }];
    const leap = Date.UTC(2028, 1, 29);
    const tuesday = [{ day: 2, entryList: [entry('00:00:00', '23:59:59')] }];
    expect(spans(table({ days: tuesday }), leap - 3_600_000, leap + 90_000_000)).toEqual([[leap, leap + 86_400_000]]);
    const inAuckland = table({ days: saturday, timeZone: 'Pacific/Auckland' });
    // 1 January 2028 is a Saturday; Auckland is 13 hours ahead then.
    const start = Date.UTC(2027, 11, 31, 11);
    expect(spans(inAuckland, start - 7_200_000, start + 100_000_000, 2)).toEqual([[start, start + 86_400_000]]);
  });

  it('uses the holiday row on a holiday', () => {
    const days = [...daily([entry('00:00:00', '23:59:59')]), { day: 8, entryList: [entry('10:00:00', '11:00:00')] }];
    const day = Date.UTC(2026, 11, 25);
    const plan = table({ days, holidays: ['2026-12-25'] });
    expect(spans(plan, day, day + 86_400_000)).toEqual([[day + 36_000_000, day + 39_600_000]]);
  });
});

describe('[FT-47] clock changes', () => {
  const night = daily([entry('02:00:00', '03:00:00')]);
  it.each([
    ['Europe/Berlin', Date.UTC(2026, 2, 28, 23), []],
    ['Europe/Berlin', Date.UTC(2026, 9, 24, 22), [[Date.UTC(2026, 9, 25, 0), Date.UTC(2026, 9, 25, 2)]]],
    ['Asia/Shanghai', Date.UTC(2026, 2, 28, 16), [[Date.UTC(2026, 2, 28, 18), Date.UTC(2026, 2, 28, 19)]]],
    // Half an hour back at 02:00: 01:30 to 02:00 comes twice, 02:00 to 03:00 once.
    ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 13), [[Date.UTC(2026, 3, 4, 15, 30), Date.UTC(2026, 3, 4, 16, 30)]]],
    ['Asia/Kathmandu', Date.UTC(2026, 3, 4, 18, 15), [[Date.UTC(2026, 3, 4, 20, 15), Date.UTC(2026, 3, 4, 21, 15)]]],
  ])('%s from %i on', (timeZone, midnight, expected) => {
    expect(spans(table({ days: night, timeZone }), midnight, midnight + 23 * 3_600_000)).toEqual(expected);
  });

  it('a cached result equals a fresh one at any instant', () => {
    const plan = table({
      days: daily([entry('00:15:20', '02:30:00', 2), entry('02:30:00', '13:00:01')]),
      timeZone: 'Europe/Berlin',
    });
    const kept = new PlanClock(plan);
    const from = Date.UTC(2026, 9, 24);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 * 86_400_000 }), (offset) => {
        const { type, until } = kept.at(from + offset);
        expect(new PlanClock(plan).at(from + offset).type).toBe(type);
        expect(new PlanClock(plan).at(until - 1).type).toBe(type);
      }),
    );
  });
});

it.each([
  [[], null],
  [
    [
      { day: 1, entryList: [] },
      { day: 1, entryList: [] },
    ],
    { field: '1.day', problem: 'notAllowed' },
  ],
  [
    [{ day: 3, entryList: [entry('10:00:00', '11:00:00'), entry('10:30:00', '12:00:00')] }],
    { field: '0.entryList.1.StartTime', problem: 'notAllowed' },
  ],
  [[{ day: 3, entryList: [entry('10:00:00', '09:00:00')] }], { field: '0.entryList.0.EndTime', problem: 'tooSmall' }],
])('[VA-08] days of a plan: case %#', (days, expected) => {
  expect(checkPlanDays(days)).toEqual(expected);
});
