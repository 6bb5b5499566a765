// Alarms by push: the newest state of each, what arrived since the page was opened, and what of it is unread.
import { ALARM_SEVERITIES } from '@vedette/contract/alarm-types.ts';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { create } from 'zustand';
import { type HeardEvent, useClientState } from '../session/client-state.ts';
import { cacheEvents } from '../session/cached-lists.ts';

export interface ArrivedAlarm {
  readonly alarm: Alarm;
  /** In the order of arrival, from 1. */
  readonly no: number;
}

interface AlarmState {
  /** Newest state by id; wins over what was fetched before. */
  readonly changed: ReadonlyMap<string, Alarm>;
  /** The last first. */
  readonly arrived: readonly ArrivedAlarm[];
  /** Number of the last arrival that was seen on the alarm screen. */
  readonly seenNo: number;
  /** Unread when the page was opened, by id. */
  readonly unreadBefore: ReadonlySet<string>;
}

/** More than anybody scrolls back through; older ones come with the list. */
const KEPT = 500;
/** Pushes of so long are shown together: a storm must not draw the page hundreds of times a second. */
const GATHER_MS = 100;

const EMPTY: AlarmState = { changed: new Map(), arrived: [], seenNo: 0, unreadBefore: new Set() };
export const useAlarmStore = create<AlarmState>(() => EMPTY);

/** What this tab heard of before it was loaded again (UI-06) is not new a second time; null until the first push. */
let heardBefore: ReadonlySet<string> | null = null;
let gathered: { readonly alarm: Alarm; readonly isNew: boolean }[] = [];
let timer = 0;
let lastNo = 0;

export function takeAlarm(alarm: Alarm, isNew: boolean): void {
  gathered.push({ alarm, isNew });
  if (timer === 0) timer = window.setTimeout(showGathered, GATHER_MS);
}

function showGathered(): void {
  const news = gathered;
  heardBefore ??= new Set(useClientState.getState().eventList.map(({ alarmId }) => alarmId));
  const before = heardBefore;
  gathered = [];
  timer = 0;
  useAlarmStore.setState(({ changed, arrived }) => {
    const states = new Map(changed);
    const known = new Set(arrived.map(({ alarm }) => alarm.alarmId));
    const fresh: ArrivedAlarm[] = [];
    for (const { alarm, isNew } of news) {
      // Put at the end again: the oldest go first.
      states.delete(alarm.alarmId);
      states.set(alarm.alarmId, alarm);
      if (!isNew || known.has(alarm.alarmId) || before.has(alarm.alarmId)) continue;
      known.add(alarm.alarmId);
      lastNo += 1;
      fresh.unshift({ alarm, no: lastNo });
    }
    if (fresh.length > 0) cacheEvents(fresh.map(({ alarm }) => pickHeard(alarm)));
    for (const id of [...states.keys()].slice(0, Math.max(0, states.size - 2 * KEPT))) states.delete(id);
    return { changed: states, arrived: [...fresh, ...arrived].slice(0, KEPT) };
  });
}

function pickHeard({ alarmId, type, deviceSerial, time }: Alarm): HeardEvent {
  return { alarmId, type, deviceSerial, time };
}

/** What a call answered is as new as what is pushed. */
export function noteAlarms(alarms: readonly Alarm[]): void {
  useAlarmStore.setState(({ changed }) => ({
    changed: new Map([...changed, ...alarms.map((alarm) => [alarm.alarmId, alarm] as const)]),
  }));
}

/** Asked for once a page: what was pushed meanwhile is newer. */
export function noteLasting(alarms: readonly Alarm[]): void {
  useAlarmStore.setState(({ changed }) => ({
    changed: new Map([...alarms.map((alarm) => [alarm.alarmId, alarm] as const), ...changed]),
  }));
}

/** The gravest alarm of a channel that goes on, the latest of equals; null where there is none. */
export function lastingAlarm({ changed }: AlarmState, deviceSerial: string, channelNo: number): Alarm | null {
  let gravest: Alarm | null = null;
  for (const alarm of changed.values()) {
    if (alarm.endTime !== null || alarm.deviceSerial !== deviceSerial || alarm.channelNo !== channelNo) continue;
    if (gravest === null || rank(alarm) >= rank(gravest)) gravest = alarm;
  }
  return gravest;
}

function rank({ severity }: Alarm): number {
  return ALARM_SEVERITIES.indexOf(severity);
}

export function noteUnread(alarmIds: readonly string[]): void {
  useAlarmStore.setState({ unreadBefore: new Set(alarmIds) });
}

export function markSeen(): void {
  useAlarmStore.setState({ seenNo: lastNo, unreadBefore: new Set() });
}

/** Whole numbers, information left out: it is no reason to look. */
export function unreadCount({ arrived, seenNo, unreadBefore }: AlarmState): number {
  const later = arrived.filter(
    ({ no, alarm }) => no > seenNo && alarm.severity !== 'info' && !unreadBefore.has(alarm.alarmId),
  );
  return unreadBefore.size + later.length;
}

/** After a reset or for another account. */
export function forgetAlarms(): void {
  clearTimeout(timer);
  timer = 0;
  gathered = [];
  useAlarmStore.setState({ ...EMPTY, seenNo: lastNo });
}
