// Alarms by push: the newest state of each, what arrived since the page was opened, and what nobody has handled yet.
import { ALARM_SEVERITIES } from '@vedette/contract/alarm-types.ts';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { create } from 'zustand';
import { type PushedAlarm, useClientState } from '../session/client-state.ts';
import { cacheEvents } from '../session/cached-lists.ts';

export interface ArrivedAlarm {
  readonly alarm: Alarm;
  /** In the order of arrival, from 1. */
  readonly no: number;
}

interface UnhandledAlarms {
  readonly alarmIds: ReadonlySet<string>;
  /** Number of the last arrival before it was asked for. */
  readonly afterNo: number;
}

interface AlarmState {
  /** Newest state by id; wins over what was fetched before. */
  readonly changed: ReadonlyMap<string, Alarm>;
  /** The last first. */
  readonly arrived: readonly ArrivedAlarm[];
  /** What nobody had handled when it was asked for. */
  readonly unhandled: UnhandledAlarms;
}

/** More than anybody scrolls back through; older ones come with the list. */
const KEPT = 500;
/** Pushes of so long are shown together: a storm must not draw the page hundreds of times a second. */
const GATHER_MS = 100;

const EMPTY: AlarmState = { changed: new Map(), arrived: [], unhandled: { alarmIds: new Set(), afterNo: 0 } };
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

function pickHeard({ alarmId, type, deviceSerial, time }: Alarm): PushedAlarm {
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

/** For `noteUnhandled`: what arrives later is counted beside the answer. */
export function lastArrivalNo(): number {
  return lastNo;
}

export function noteUnhandled(alarmIds: readonly string[], afterNo: number): void {
  useAlarmStore.setState({ unhandled: { alarmIds: new Set(alarmIds), afterNo } });
}

/** Whole numbers, information left out: it is no reason to look. */
export function unhandledCount({ changed, arrived, unhandled: { alarmIds, afterNo } }: AlarmState): number {
  const isNew = (alarmId: string): boolean => (changed.get(alarmId)?.state ?? 'new') === 'new';
  const later = arrived.filter(
    ({ no, alarm }) =>
      no > afterNo && alarm.severity !== 'info' && !alarmIds.has(alarm.alarmId) && isNew(alarm.alarmId),
  );
  return [...alarmIds].filter(isNew).length + later.length;
}

/** After a reset or for another account. */
export function forgetAlarms(): void {
  clearTimeout(timer);
  timer = 0;
  gathered = [];
  useAlarmStore.setState({ ...EMPTY, unhandled: { alarmIds: new Set(), afterNo: lastNo } });
}
