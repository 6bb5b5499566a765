// What came since somebody points at the list waits, however it came; the rest stays where it is.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { expect, it } from 'vitest';
import { holdBack, type ListedAlarm } from './held-alarms.ts';

const listed = (alarmId: string, time: number, no = 0): ListedAlarm => ({ alarm: { alarmId, time } as Alarm, no });
const ids = (list: readonly ListedAlarm[], no: number, top: ListedAlarm | undefined): readonly string[] =>
  holdBack(list, { no, top: top?.alarm }).alarms.map(({ alarmId }) => alarmId);

const first = listed('a', 1000);
const older = listed('b', 500);

it('shows the whole list while nothing new arrived', () => {
  expect(ids([first, older], 0, first)).toEqual(['a', 'b']);
  expect(ids([first, older], 0, undefined)).toEqual(['a', 'b']);
});

it('holds back pushed alarms, also those that began earlier', () => {
  const { alarms, heldCount } = holdBack([listed('n', 2000, 3), first, listed('l', 700, 4), older], {
    no: 2,
    top: first.alarm,
  });
  expect(alarms.map(({ alarmId }) => alarmId)).toEqual(['a', 'b']);
  expect(heldCount).toBe(2);
  expect(ids([listed('n', 2000, 3), first], 3, first)).toEqual(['n', 'a']);
});

it('holds back new alarms of a refetched list, and keeps later pages', () => {
  const again = [listed('n', 2000), first, older, listed('c', 100)];
  expect(ids(again, 0, first)).toEqual(['a', 'b', 'c']);
  expect(ids([listed('z', 1000), first], 0, first)).toEqual(['a']);
});
