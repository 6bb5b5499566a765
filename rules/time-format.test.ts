// Tests of dates and times as people read them.
import { describe, expect, it } from 'vitest';
import { formatClock, formatDate, formatDateTime, isAllDay, timeFormatOf } from './time-format.ts';

const at = Date.UTC(2026, 10, 1, 0, 5, 9);
const UNCHOSEN = { dateOrder: null, clockHours: null };
const china = { ...timeFormatOf(false, UNCHOSEN), timeZone: 'Asia/Shanghai' };
const overseas = { ...timeFormatOf(true, UNCHOSEN), timeZone: 'UTC' };

describe('[LM-03] time format', () => {
  it('is year-first in China', () => expect(formatDateTime(at, china)).toBe('2026-11-01 08:05:09'));
  it('is month-first overseas', () => expect(formatDateTime(at, overseas)).toBe('11/01/2026 00:05:09'));
  it.each([
    [true, 'yearFirst', '2026-11-01 00:05:09'],
    [false, 'monthFirst', '11/01/2026 00:05:09'],
    [true, 'dayFirst', '01/11/2026 00:05:09'],
  ] as const)('overseas %s, an account that chose %s sees %s', (isOverseas, dateOrder, text) => {
    const format = { ...timeFormatOf(isOverseas, { dateOrder, clockHours: null }), timeZone: 'UTC' };
    expect(formatDateTime(at, format)).toBe(text);
  });
  it.each([
    [0, '12:05 AM'],
    [9, '9:05 AM'],
    [12, '12:05 PM'],
    [23, '11:05 PM'],
  ])('hour %i on a clock of twelve hours is %s', (hour, text) => {
    const format = { ...timeFormatOf(true, { dateOrder: null, clockHours: 12 }), timeZone: 'UTC' };
    expect(formatClock(Date.UTC(2026, 0, 1, hour, 5), format, false)).toBe(text);
  });
  it('writes midnight as 00, never 24', () => expect(formatClock(Date.UTC(2026, 0, 1), overseas, false)).toBe('00:00'));
  it('uses the day of the time zone', () => {
    expect(formatDate(Date.UTC(2026, 11, 31, 20), china)).toBe('2027-01-01');
    expect(formatDate(Date.UTC(2026, 11, 31, 20), overseas)).toBe('12/31/2026');
  });
});

describe('[LM-05] all-day spans', () => {
  it.each([
    ['00:00', '24:00', true],
    ['00:00:00', '23:59:59', true],
    ['00:00', '23:59', false],
    ['00:00:01', '23:59:59', false],
  ])('%s to %s: %s', (start, end, isWhole) => expect(isAllDay(start, end)).toBe(isWhole));
});
