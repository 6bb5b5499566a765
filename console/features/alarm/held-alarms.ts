// Which new alarms wait behind the pill while the pointer is on the list.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { newestFirst } from './alarm-filter.ts';

export interface ListedAlarm {
  readonly alarm: Alarm;
  /** Number of its arrival by push; 0 where it was fetched alone. */
  readonly no: number;
}

/** How far the list was shown. */
export interface ShownMark {
  /** Of the last arrival. */
  readonly no: number;
  /** First of the list; undefined while it was empty. */
  readonly top: Alarm | undefined;
}

export function isSameMark(one: ShownMark, other: ShownMark): boolean {
  return one.no === other.no && one.top?.alarmId === other.top?.alarmId;
}

/** `listed` newest first. What happened before `top` and is fetched stays: it came with a later page. */
export function holdBack(
  listed: readonly ListedAlarm[],
  { no: shownNo, top }: ShownMark,
): { readonly alarms: readonly Alarm[]; readonly heldCount: number } {
  const isShown = ({ alarm, no }: ListedAlarm): boolean =>
    no > 0 ? no <= shownNo : top === undefined || alarm.alarmId === top.alarmId || newestFirst(alarm, top) > 0;
  const alarms = listed.filter(isShown).map(({ alarm }) => alarm);
  return { alarms, heldCount: listed.length - alarms.length };
}
