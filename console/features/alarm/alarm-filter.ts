// What the alarm screen asks for: kept in the address, sent to the server, and held against what is pushed.
import { HOUR_MS } from '@vedette/foundation/units/durations.ts';
import {
  ALARM_GROUPS,
  ALARM_SEVERITIES,
  type AlarmGroup,
  type AlarmSeverity,
  RAISED_ALARM_TYPE_NAMES,
  type RaisedAlarmType,
} from '@vedette/contract/alarm-types.ts';
import { ALARM_STATES, type Alarm, type AlarmState } from '@vedette/contract/calls/alarm.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';

export const TIME_CHOICES = ['any', 'hour', 'day', 'week', 'month', 'between'] as const;
export type TimeChoice = (typeof TIME_CHOICES)[number];
const SPAN_MS: Partial<Record<TimeChoice, number>> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 7 * 24 * HOUR_MS,
  month: 30 * 24 * HOUR_MS,
};

export interface AlarmFilter {
  readonly group: AlarmGroup | '';
  readonly type: RaisedAlarmType | '';
  /** This one and what is more urgent. */
  readonly severity: AlarmSeverity | '';
  readonly state: AlarmState | '';
  /** `org:<id>`, `dev:<serial>`, or empty for all. */
  readonly place: string;
  readonly time: TimeChoice;
  /** Of `between`: ms since 1970 UTC, null for an open side. */
  readonly startTime: number | null;
  readonly endTime: number | null;
  /** The alarm in the inspector; no part of the question. */
  readonly alarm: string;
}

export const NO_FILTER: AlarmFilter = {
  group: '',
  type: '',
  severity: '',
  state: '',
  place: '',
  time: 'any',
  startTime: null,
  endTime: null,
  alarm: '',
};

export function readFilter(address: URLSearchParams): AlarmFilter {
  const oneOf = <T extends string>(list: readonly T[], name: string): T | '' =>
    list.find((one) => one === address.get(name)) ?? '';
  const instant = (name: string): number | null => {
    const value = Number(address.get(name) ?? Number.NaN);
    return Number.isSafeInteger(value) && value >= 0 ? value : null;
  };
  return {
    group: oneOf(ALARM_GROUPS, 'group'),
    type: oneOf(RAISED_ALARM_TYPE_NAMES, 'type'),
    severity: oneOf(ALARM_SEVERITIES, 'severity'),
    state: oneOf(ALARM_STATES, 'state'),
    place: /^(?:org|dev):[A-Za-z0-9]{1,64}$/.exec(address.get('place') ?? '')?.[0] ?? '',
    time: oneOf(TIME_CHOICES, 'time') || 'any',
    startTime: instant('from'),
    endTime: instant('to'),
    alarm: address.get('alarm') ?? '',
  };
}

/** Only what is asked for stands in the address. */
export function writeFilter(filter: AlarmFilter): URLSearchParams {
  const { group, type, severity, state, place, time, startTime, endTime, alarm } = filter;
  const isBetween = time === 'between';
  const all = [
    ['group', group],
    ['type', type],
    ['severity', severity],
    ['state', state],
    ['place', place],
    ['time', time === 'any' ? '' : time],
    ['from', isBetween && startTime !== null ? String(startTime) : ''],
    ['to', isBetween && endTime !== null ? String(endTime) : ''],
    ['alarm', alarm],
  ] as const;
  return new URLSearchParams(all.filter(([, value]) => value !== '').map(([name, value]) => [name, value]));
}

export function isFiltered(filter: AlarmFilter): boolean {
  return writeFilter({ ...filter, alarm: '' }).size > 0;
}

/** Times of one question: they must not move while it is paged. */
export function timesOf({ time, startTime, endTime }: AlarmFilter, now: number) {
  if (time === 'between') return { startTime, endTime };
  const span = SPAN_MS[time];
  return { startTime: span === undefined ? null : Math.max(0, now - span), endTime: null };
}

export function toCall(filter: AlarmFilter, now: number): CallInput<'alarm/list'> {
  const { startTime, endTime } = timesOf(filter, now);
  const [kind, id = ''] = filter.place.split(':');
  return {
    ...(filter.group === '' ? {} : { groups: [filter.group] }),
    ...(filter.type === '' ? {} : { types: [filter.type] }),
    ...(filter.severity === '' ? {} : { severity: severitiesFrom(filter.severity) }),
    ...(filter.state === '' ? {} : { state: filter.state }),
    ...(kind === 'org' ? { organizationId: id } : {}),
    ...(kind === 'dev' ? { devices: [{ deviceSerial: id }] } : {}),
    ...(startTime === null ? {} : { startTime }),
    ...(endTime === null ? {} : { endTime }),
  };
}

/** `isBelow`: does an organisation stand in the one that is asked for. */
export function matches(
  input: CallInput<'alarm/list'>,
  alarm: Alarm,
  isBelow: (organizationId: string, ancestorId: string) => boolean,
): boolean {
  const { groups, types, severity, state, organizationId, devices, startTime, endTime } = input;
  const serials = devices?.map(({ deviceSerial }) => deviceSerial);
  return (
    isAmong(groups, alarm.group) &&
    isAmong(types, alarm.type) &&
    isAmong(severity, alarm.severity) &&
    isAmong(serials, alarm.deviceSerial) &&
    (state === undefined || state === alarm.state) &&
    (organizationId === undefined || isBelow(alarm.organizationId, organizationId)) &&
    isBetween(alarm.time, startTime, endTime)
  );
}

/** What is not asked for is among all. */
function isAmong(asked: readonly unknown[] | undefined, value: unknown): boolean {
  return asked?.includes(value) ?? true;
}

function isBetween(time: number, startTime: number | undefined, endTime: number | undefined): boolean {
  return (startTime === undefined || time >= startTime) && (endTime === undefined || time < endTime);
}

function severitiesFrom(least: AlarmSeverity): AlarmSeverity[] {
  return ALARM_SEVERITIES.slice(ALARM_SEVERITIES.indexOf(least));
}

/** Newest first, as the server orders them. */
export function newestFirst(one: Alarm, other: Alarm): number {
  if (one.time !== other.time) return other.time - one.time;
  return one.alarmId < other.alarmId ? 1 : -1;
}
