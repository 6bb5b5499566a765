// The 31 flags of a month.
import { expect, test } from 'vitest';
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

test('[LV-06] accepts IANA zones', () => {
  expect(isTimeZone('Asia/Shanghai')).toBe(true);
  expect(isTimeZone('Mars/Base')).toBe(false);
});
