// The 31 flags of a month: leap years, turns of the year, and months whose clocks change.
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { isTimeZone } from '@vedette/rules/time-plan/time-zone.ts';
import { dailyFlags, monthRange } from './calendar.ts';

test('[LV-06] flags days of the month alone', () => {
  const flags = dailyFlags(['2026-01-31', '2026-02-01', '2026-02-28', '2026-03-01'], 2026, 2);
  expect(flags).toHaveLength(31);
  expect(flags.flatMap((flag, index) => (flag === 1 ? [index + 1] : []))).toEqual([1, 28]);
});

test('[LV-06] the range covers the month in every zone', () => {
  const { startTime, endTime } = monthRange(2026, 12);
  for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kolkata']) {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
    expect(day.format(startTime) < '2026-12-01').toBe(true);
    expect(day.format(endTime - 1) >= '2026-12-31').toBe(true);
  }
});

test.each([
  [2027, 2, 28],
  [2028, 2, 29],
  [2100, 2, 28],
  [2000, 2, 29],
  [2026, 12, 31],
  [2027, 1, 31],
  [2026, 4, 30],
])('[LV-06] %i-%i has %i days, each with its flag, and nothing of its neighbours', (year, month, count) => {
  const { startTime, endTime } = monthRange(year, month);
  const iso = (at: number) => new Date(at).toISOString().slice(0, 10);
  const all = Array.from({ length: (endTime - startTime) / 86_400_000 }, (_none, n) => iso(startTime + n * 86_400_000));
  const flags = dailyFlags(all, year, month);
  expect(flags.flatMap((flag, index) => (flag === 1 ? [index + 1] : []))).toEqual(
    Array.from({ length: count }, (_none, index) => index + 1),
  );
});

test('[LV-06] the range holds every instant of the month, whatever the zone and its clocks do', () => {
  const zones = ['Europe/Berlin', 'Africa/Cairo', 'America/Havana', 'Australia/Lord_Howe', 'Pacific/Apia'] as const;
  const formats = new Map(
    zones.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })]),
  );
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: Date.UTC(2120, 0, 1) }), (timeZone, at) => {
      const [year = 0, month = 0, day = 0] = formats.get(timeZone)?.format(at).split('-').map(Number) ?? [];
      const { startTime, endTime } = monthRange(year, month);
      expect(at >= startTime && at < endTime).toBe(true);
      expect(dailyFlags([formats.get(timeZone)?.format(at) ?? ''], year, month)[day - 1]).toBe(1);
    }),
  );
});

test('[LV-06] accepts IANA zones', () => {
  expect(isTimeZone('Asia/Shanghai')).toBe(true);
  expect(isTimeZone('Mars/Base')).toBe(false);
});
