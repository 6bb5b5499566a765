// Days and clock times of a zone, the days when its clocks change among them.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, dayBounds, dayOf, instantOf, localTime, weekDay } from './zone-time.ts';

const HOUR = 3_600_000;
const BERLIN = 'Europe/Berlin';
const SPRING = { year: 2026, month: 3, day: 29 };
const AUTUMN = { year: 2026, month: 10, day: 25 };

describe('days', () => {
  test.each([
    [SPRING, 23],
    [AUTUMN, 25],
    [{ year: 2026, month: 11, day: 21 }, 24],
  ])('%o has %i hours in Berlin', (day, hours) => {
    const { start, end } = dayBounds(BERLIN, day);
    expect((end - start) / HOUR).toBe(hours);
    expect(dayOf(BERLIN, start)).toEqual(day);
    expect(dayOf(BERLIN, end - 1)).toEqual(day);
  });

  test('a skipped time becomes the one after the gap, a repeated one the first', () => {
    expect(localTime(BERLIN, instantOf(BERLIN, SPRING, { hour: 2, minute: 30 }))).toMatchObject({
      hour: 3,
      minute: 30,
    });
    const twice = instantOf(BERLIN, AUTUMN, { hour: 2, minute: 30 });
    expect(localTime(BERLIN, twice + HOUR)).toMatchObject({ hour: 2, minute: 30 });
  });

  test('every instant survives a round trip through day and clock time', () => {
    const zones = [BERLIN, 'Asia/Shanghai', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 1_600_000_000, max: 1_900_000_000 }),
        (zone, seconds) => {
          const local = localTime(zone, seconds * 1000);
          expect(localTime(zone, instantOf(zone, local, local))).toEqual(local);
        },
      ),
    );
  });

  test('week days and months', () => {
    expect(weekDay({ year: 2026, month: 11, day: 22 })).toBe(7);
    expect(addDays({ year: 2026, month: 12, day: 31 }, 1)).toEqual({ year: 2027, month: 1, day: 1 });
  });
});
