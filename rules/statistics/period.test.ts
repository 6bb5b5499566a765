// Tests of the periods of statistics: grains, days with 23 and 25 hours, zones that skip midnight, and the period before.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourOfWeek, periodBefore, periodOf, unitsHolding } from './period.ts';

const HOUR = 3_600_000;
const NONE = { startTime: 0, endTime: 0 };
const at = (text: string): number => Date.parse(text);
const iso = (times: readonly number[]): string[] => times.map((time) => new Date(time).toISOString());

describe('periodOf', () => {
  it('shows a day as the last 24 hours, the current one included', () => {
    const { grain, starts, endTime } = periodOf({ range: 'day' }, at('2026-11-26T10:20:00Z'), 'UTC');
    expect(grain).toBe('hour');
    expect(starts).toHaveLength(24);
    expect(iso([starts[0] ?? 0, endTime])).toEqual(['2026-11-25T11:00:00.000Z', '2026-11-26T11:00:00.000Z']);
  });

  it('shows a week as seven days of the zone, the current one included', () => {
    const { grain, starts, endTime } = periodOf({ range: 'week' }, at('2026-11-26T17:00:00Z'), 'Asia/Shanghai');
    expect(grain).toBe('day');
    expect(starts).toHaveLength(7);
    expect(iso([starts[0] ?? 0, endTime])).toEqual(['2026-11-20T16:00:00.000Z', '2026-11-27T16:00:00.000Z']);
  });

  it('gives a day 23 hours when clocks go forward, and 25 when they go back', () => {
    const lengths = (now: string): number[] => {
      const { starts, endTime } = periodOf({ range: 'week' }, at(now), 'Europe/Berlin');
      return [...starts, endTime].slice(1).map((end, index) => (end - (starts[index] ?? 0)) / HOUR);
    };
    expect(lengths('2026-03-31T12:00:00Z')).toEqual([24, 24, 24, 24, 23, 24, 24]);
    expect(lengths('2026-10-27T12:00:00Z')).toEqual([24, 24, 24, 24, 25, 24, 24]);
  });

  it('begins a day without midnight at its first instant', () => {
    // Cairo goes from 23:59:59 to 01:00 on 24 April 2026.
    const units = unitsHolding('day', [at('2026-04-24T08:00:00Z')], 'Africa/Cairo');
    expect(units).toEqual([{ startTime: at('2026-04-23T22:00:00Z'), endTime: at('2026-04-24T21:00:00Z') }]);
  });

  it('begins a day at the first of two midnights', () => {
    // Havana goes back from 01:00 to 00:00 on 1 November 2026.
    const units = unitsHolding('day', [at('2026-11-01T12:00:00Z')], 'America/Havana');
    expect(units).toEqual([{ startTime: at('2026-11-01T04:00:00Z'), endTime: at('2026-11-02T05:00:00Z') }]);
  });

  it.each([
    ['2026-11-20T00:10:00Z', '2026-11-22T23:50:00Z', 'hour', 72],
    ['2026-11-01T00:00:00Z', '2026-11-30T00:00:00Z', 'day', 29],
    ['2025-11-26T00:00:00Z', '2026-11-26T00:00:00Z', 'month', 13],
    ['2016-12-01T00:00:00Z', '2026-11-26T00:00:00Z', 'month', 120],
  ] as const)('tells %s to %s by the %s, %i of them', (start, end, grain, count) => {
    const custom = { range: 'custom', startTime: at(start), endTime: at(end) } as const;
    const period = periodOf(custom, at('2026-11-26T00:00:00Z'), 'UTC');
    expect(period.grain).toBe(grain);
    expect(period.starts).toHaveLength(count);
    expect(period.starts[0]).toBeLessThanOrEqual(at(start));
    expect(period.endTime).toBeGreaterThanOrEqual(at(end));
  });

  it.each([
    ['2026-10-01T00:00:00Z', '2026-10-02T00:00:00Z', 'day'],
    ['2020-10-01T00:00:00Z', '2020-10-02T00:00:00Z', 'month'],
  ] as const)('tells %s to %s by the %s, because finer ones are not stored any more', (start, end, grain) => {
    const custom = { range: 'custom', startTime: at(start), endTime: at(end) } as const;
    expect(periodOf(custom, at('2026-11-26T00:00:00Z'), 'UTC').grain).toBe(grain);
  });

  it('throws for an unknown zone', () => {
    expect(() => periodOf({ range: 'day' }, 0, 'Mars/Olympus')).toThrow(RangeError);
  });
});

describe('periodBefore', () => {
  it('ends where the period begins, with as many units', () => {
    const period = periodOf({ range: 'week' }, at('2026-10-27T12:00:00Z'), 'Europe/Berlin');
    const before = periodBefore(period, 'Europe/Berlin');
    expect(before.starts).toHaveLength(7);
    expect(before.endTime).toBe(period.starts[0]);
    expect(iso([before.starts[0] ?? 0])).toEqual(['2026-10-13T22:00:00.000Z']);
  });

  it('counts months by their names, whatever their lengths', () => {
    const custom = {
      range: 'custom',
      startTime: at('2026-03-01T00:00:00Z'),
      endTime: at('2026-06-30T00:00:00Z'),
    } as const;
    const before = periodBefore(periodOf(custom, 0, 'UTC'), 'UTC');
    expect(iso(before.starts).map((text) => text.slice(0, 10))).toEqual([
      '2025-11-01',
      '2025-12-01',
      '2026-01-01',
      '2026-02-01',
    ]);
  });
});

describe('unitsHolding', () => {
  it('names each month once, and none between', () => {
    const instants = [
      '2026-01-31T23:00:00Z',
      '2026-02-01T00:00:00Z',
      '2026-02-27T00:00:00Z',
      '2026-05-01T00:00:00Z',
    ].map(at);
    const units = unitsHolding('month', instants, 'UTC');
    expect(iso(units.map(({ startTime }) => startTime)).map((text) => text.slice(0, 7))).toEqual([
      '2026-01',
      '2026-02',
      '2026-05',
    ]);
    expect(iso(units.map(({ endTime }) => endTime)).map((text) => text.slice(0, 7))).toEqual([
      '2026-02',
      '2026-03',
      '2026-06',
    ]);
  });
});

describe('whatever the calendar does', () => {
  const zones = [
    'UTC',
    'Europe/Berlin',
    'Africa/Cairo',
    'America/Havana',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
  ] as const;
  const turns = [
    '2026-03-29',
    '2026-04-05',
    '2026-04-24',
    '2026-10-25',
    '2026-11-01',
    '2026-12-31',
    '2028-02-29',
    '2100-02-28',
  ];
  /** Within two months of a clock change, a leap day or a turn of the year. */
  const instant = fc
    .tuple(fc.constantFrom(...turns), fc.integer({ min: -60 * 24 * 60, max: 60 * 24 * 60 }))
    .map(([turn, minutes]) => at(`${turn}T00:00:00Z`) + minutes * 60_000);
  const dateIn = (timeZone: string) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    return (time: number) => format.format(time);
  };
  const dayAfter = (date: string) => new Date(at(`${date}T00:00:00Z`) + 24 * HOUR).toISOString().slice(0, 10);

  it('the days of a month follow each other without a gap, each from its first instant to that of the next', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), instant, (timeZone, now) => {
        const dateOf = dateIn(timeZone);
        const { starts, endTime } = periodOf({ range: 'month' }, now, timeZone);
        expect(starts).toHaveLength(30);
        expect(dateOf(endTime - 1)).toBe(dateOf(now));
        for (const [index, start] of starts.entries()) {
          const end = starts[index + 1] ?? endTime;
          expect(dateOf(start - 1)).not.toBe(dateOf(start));
          expect(dateOf(end - 1)).toBe(dateOf(start));
          expect(dateOf(end)).toBe(dayAfter(dateOf(start)));
          expect([23, 23.5, 24, 24.5, 25]).toContain((end - start) / HOUR);
        }
        const before = periodBefore({ grain: 'day', starts, endTime }, timeZone);
        expect([before.endTime, before.starts.length]).toEqual([starts[0], 30]);
      }),
      { numRuns: 60 },
    );
  });

  it('an instant lies in one day, one month and one hour of the week', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), instant, (timeZone, time) => {
        const dateOf = dateIn(timeZone);
        const [day = NONE] = unitsHolding('day', [time], timeZone);
        const [month = NONE] = unitsHolding('month', [time], timeZone);
        for (const unit of [day, month]) expect(unit.startTime <= time && time < unit.endTime).toBe(true);
        expect(dateOf(day.startTime)).toBe(dateOf(time));
        expect(dateOf(month.startTime)).toBe(`${dateOf(time).slice(0, 7)}-01`);
        expect(dateOf(month.endTime - 1).slice(0, 7)).toBe(dateOf(time).slice(0, 7));
        const words = new Intl.DateTimeFormat('en', { timeZone, weekday: 'long', hour: 'numeric', hourCycle: 'h23' });
        const [weekday = '', hour = ''] = words
          .format(time)
          .split(/[\s,]+(?:at )?/)
          .filter((word) => word !== '');
        const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
        expect(hourOfWeek(timeZone)(time)).toBe(`${days.indexOf(weekday) + 1} ${Number(hour)}`);
      }),
    );
  });

  it('February has its leap day, and a year ends with December', () => {
    const lengthOf = (time: string) => {
      const [unit] = unitsHolding('month', [at(time)], 'Pacific/Auckland');
      return ((unit?.endTime ?? 0) - (unit?.startTime ?? 0)) / 24 / HOUR;
    };
    expect(lengthOf('2028-02-10T00:00:00Z')).toBe(29);
    expect(lengthOf('2027-02-10T00:00:00Z')).toBe(28);
    expect(lengthOf('2100-02-10T00:00:00Z')).toBe(28);
    const [last] = unitsHolding('month', [at('2026-12-31T10:59:59Z')], 'Pacific/Auckland');
    expect(iso([last?.endTime ?? 0])).toEqual(['2026-12-31T11:00:00.000Z']);
  });
});
