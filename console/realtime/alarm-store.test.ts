// Tests of the count of unhandled alarms: what was asked for, what arrives later, and what is handled meanwhile.
// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import {
  forgetAlarms,
  lastArrivalNo,
  noteAlarms,
  noteUnhandled,
  takeAlarm,
  unhandledCount,
  useAlarmStore,
} from './alarm-store.ts';

/** What the store looks at. */
function fakeAlarm(part: Partial<Alarm>): Alarm {
  const alarm = { type: 'FireAlarm', deviceSerial: 'A1', severity: 'major', state: 'new', time: 1000 };
  return { ...alarm, ...part } as Alarm;
}

afterEach(() => forgetAlarms());
const count = (): number => unhandledCount(useAlarmStore.getState());

async function arrive(...alarmIds: string[]): Promise<void> {
  for (const alarmId of alarmIds) takeAlarm(fakeAlarm({ alarmId }), true);
  await vi.waitFor(() => expect(useAlarmStore.getState().arrived[0]?.alarm.alarmId).toBe(alarmIds.at(-1)));
}

it('counts each alarm once that nobody has handled, and none that is only information', async () => {
  await arrive('before');
  const askedAt = lastArrivalNo();
  await arrive('between', 'later');
  noteUnhandled(['before', 'old', 'between'], askedAt);
  expect(count()).toBe(4);
  takeAlarm(fakeAlarm({ alarmId: 'info', severity: 'info' }), true);
  noteAlarms([fakeAlarm({ alarmId: 'old', state: 'acknowledged' }), fakeAlarm({ alarmId: 'later', state: 'closed' })]);
  expect(count()).toBe(2);
  await arrive('last');
  expect(count()).toBe(3);
});

it('forgets what is gone when it is asked for again', async () => {
  await arrive('gone');
  noteUnhandled(['gone', 'kept'], 0);
  noteUnhandled(['kept'], lastArrivalNo());
  expect(count()).toBe(1);
});
