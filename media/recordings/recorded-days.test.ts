// Days that recordings touch, against a look at every quarter of an hour: clock changes of every kind, leap days and turns of the year.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordedDays } from './recorded-days.ts';

const QUARTER = 900_000;
const HOUR = 4 * QUARTER;
const at = (text: string): number => Date.parse(text);
const span = (startTime: number, endTime: number) => ({ startTime, endTime, recordType: 1 }) as const;

/** Clocks go forward or back by an hour, at midnight, by half an hour, by a whole day; and days that calendars forget. */
const TURNS = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z'],
  ['America/Havana', '2026-11-01T05:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
  ['UTC', '2028-02-29T00:00:00Z'],
  ['UTC', '2100-03-01T00:00:00Z'],
  ['Asia/Kathmandu', '2028-02-29T18:15:00Z'],
  ['Pacific/Auckland', '2026-12-31T11:00:00Z'],
  ['America/Los_Angeles', '2028-01-01T08:00:00Z'],
] as const;

/** Each quarter's date as the zone's calendar shows it: days begin at none but quarters. */
function everyQuarter(spans: readonly ReturnType<typeof span>[], timeZone: string): string[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
  const days = new Set<string>();
  for (const { startTime, endTime } of spans)
    for (let quarter = startTime; quarter < endTime; quarter += QUARTER) days.add(format.format(quarter));
  return [...days].toSorted();
}

describe.each(TURNS)('around a turn of %s at %s', (timeZone, turn) => {
  it('names exactly the days in which something is recorded', () => {
    const quarters = fc.integer({ min: -200, max: 200 });
    const some = fc.array(fc.tuple(quarters, fc.integer({ min: 0, max: 120 })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(some, (recorded) => {
        const spans = recorded.map(([from, length]) => {
          const startTime = at(turn) + from * QUARTER;
          return span(startTime, startTime + length * QUARTER);
        });
        expect(recordedDays(spans, timeZone)).toEqual(everyQuarter(spans, timeZone));
      }),
      { numRuns: 30 },
    );
  });

  it('tells the last millisecond before a midnight from the first one after it', () => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' });
    for (let hour = at(turn) - 30 * HOUR; hour < at(turn) + 30 * HOUR; hour += QUARTER) {
      const [before, after] = [format.format(hour - 1), format.format(hour)];
      expect(recordedDays([span(hour - 1, hour)], timeZone)).toEqual([before]);
      expect(recordedDays([span(hour, hour + 1)], timeZone)).toEqual([after]);
      expect(recordedDays([span(hour - 1, hour + 1)], timeZone)).toEqual([...new Set([before, after])]);
    }
  });
});

it('a leap day is a day of its own, and 2100 has none', () => {
  const days = (from: string, to: string) => recordedDays([span(at(from), at(to))], 'UTC');
  expect(days('2028-02-28T12:00:00Z', '2028-03-01T12:00:00Z')).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(days('2100-02-28T12:00:00Z', '2100-03-01T12:00:00Z')).toEqual(['2100-02-28', '2100-03-01']);
  expect(days('2027-12-31T23:59:59Z', '2028-01-01T00:00:01Z')).toEqual(['2027-12-31', '2028-01-01']);
});

it('a day that a zone left out is none', () => {
  expect(recordedDays([span(at('2011-12-29T10:00:00Z'), at('2011-12-31T09:59:00Z'))], 'Pacific/Apia')).toEqual([
    '2011-12-29',
    '2011-12-31',
  ]);
});
