// Weekly hours of shares: open and closed, over midnight, through clock changes, and hours without effect.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from './decide.ts';
import type { Grant } from './rights.ts';
import { isWholeWeek, ShareWindow } from './share-window.ts';

const at = (text: string) => Date.parse(text);
const entry = (StartTime: string, EndTime: string) => ({ StartTime, EndTime, Type: 1 });
/** 23 November 2026 is a Monday. */
const nights = {
  plan: [
    { day: 1, entryList: [entry('22:00:00', '23:59:59')] },
    { day: 2, entryList: [entry('00:00:00', '06:00:00')] },
  ],
  timeZone: 'Europe/Berlin',
};

test('[SE-32] joins hours that touch at midnight', () => {
  const window = new ShareWindow(nights);
  expect(window.at(at('2026-11-23T21:30:00+01:00'))).toEqual({ isOpen: false, until: at('2026-11-23T22:00:00+01:00') });
  expect(window.at(at('2026-11-23T22:00:00+01:00'))).toEqual({ isOpen: true, until: at('2026-11-24T06:00:00+01:00') });
  expect(window.at(at('2026-11-24T06:00:00+01:00')).isOpen).toBe(false);
});

test('[SE-32] uses local time on days of a clock change', () => {
  const sunday = { plan: [{ day: 7, entryList: [entry('01:00:00', '04:00:00')] }], timeZone: 'Europe/Berlin' };
  const window = new ShareWindow(sunday);
  // 25 October 2026: 02:00 to 03:00 comes twice.
  const open = window.at(at('2026-10-25T01:00:00+02:00'));
  expect(open).toEqual({ isOpen: true, until: at('2026-10-25T04:00:00+01:00') });
});

test('[SE-32] the result holds until `until` and changes there', () => {
  const day = fc.record({
    day: fc.integer({ min: 1, max: 7 }),
    entryList: fc.constantFrom([], [entry('08:00:00', '18:00:00')], [entry('00:00:00', '23:59:59')]),
  });
  const plan = fc.uniqueArray(day, { selector: (one) => one.day, maxLength: 7 });
  const start = at('2026-10-20T00:00:00Z');
  fc.assert(
    fc.property(plan, fc.integer({ min: 0, max: 14 * 86_400 }), (days, seconds) => {
      const hours = { plan: days, timeZone: 'Europe/Berlin' };
      const now = start + seconds * 1000;
      const { isOpen, until } = new ShareWindow(hours).at(now);
      if (until === null) {
        expect(isOpen).toBe(isWholeWeek(hours));
        return;
      }
      expect(until).toBeGreaterThan(now);
      const between = now + Math.floor((until - now) / 2);
      expect(new ShareWindow(hours).at(between).isOpen).toBe(isOpen);
      expect(new ShareWindow(hours).at(until).isOpen).toBe(!isOpen);
    }),
    { numRuns: 60 },
  );
});

test('[SE-32] a right ends with its hours, unless another continues it', () => {
  const grant: Grant = {
    grantId: 'g',
    granteeId: 'u2',
    ownerId: 'u1',
    scope: { kind: 'device', deviceId: 'd1' },
    permissions: ['Realplay'],
    startTime: null,
    endTime: null,
    source: 'share',
    shareId: 's1',
    windows: [new ShareWindow(nights)],
  };
  const end = at('2026-11-24T06:00:00+01:00');
  const later = { ...grant, grantId: 'h', windows: [], startTime: end - 5, endTime: end + 5 };
  const question = {
    subject: { userId: 'u2', userType: 2 },
    object: { kind: 'device' as const, ownerId: 'u1', organizationPath: [], deviceId: 'd1' },
    action: 'Realplay' as const,
    now: end - 3_600_000,
  };
  expect(decide({ ...question, grants: [grant] })).toMatchObject({ allowed: true, until: end });
  expect(decide({ ...question, grants: [grant, later] })).toMatchObject({ allowed: true, until: end + 5 });
  expect(decide({ ...question, grants: [grant], now: end })).toMatchObject({ allowed: false, code: 1009 });
});

test.each([
  ['one entry for each day', [entry('00:00:00', '23:59:59')], true],
  ['entries that touch, in any order', [entry('12:00:00', '23:59:59'), entry('00:00:00', '12:00:00')], true],
  ['entries that overlap', [entry('00:00:00', '13:00:00'), entry('12:00:00', '23:59:59')], true],
  ['an entry within another', [entry('00:00:00', '23:59:59'), entry('03:00:00', '04:00:00')], true],
  ['entries with a second between them', [entry('00:00:00', '11:59:59'), entry('12:00:00', '23:59:59')], false],
  ['a day that begins late', [entry('00:00:01', '23:59:59')], false],
  ['a day that ends early', [entry('00:00:00', '23:59:58')], false],
  ['no entry', [], false],
])('a week of %s', (_, entryList, isWhole) => {
  const plan = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, entryList }));
  expect(isWholeWeek({ plan, timeZone: 'UTC' })).toBe(isWhole);
  // Seven entries of six days are no week.
  const sixDays = [...plan.slice(1), { day: 7, entryList }];
  expect(isWholeWeek({ plan: sixDays, timeZone: 'UTC' })).toBe(false);
});
