// The views of the alarm screen by path, and whether a new alarm is visible there; otherwise a notice announces it.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { PATHS } from '../../navigation/paths.ts';
import { matches, readFilter, toCall } from './alarm-filter.ts';

export const ALARM_VIEWS = ['inbox', 'rules', 'channels', 'quiet', 'sources'] as const;
export type AlarmView = (typeof ALARM_VIEWS)[number];

export interface ShownAddress {
  readonly pathname: string;
  readonly search: string;
}

export function alarmViewOf(address: URLSearchParams): AlarmView {
  return ALARM_VIEWS.find((one) => one === address.get('view')) ?? 'inbox';
}

export function isInbox({ pathname, search }: ShownAddress): boolean {
  return pathname === PATHS.alarmMsg && alarmViewOf(new URLSearchParams(search)) === 'inbox';
}

/** Whatever organisation is asked for counts as the alarm's own: one message less is better than two for each. */
export function isInSight(shown: ShownAddress, alarm: Alarm, now: number): boolean {
  const question = toCall(readFilter(new URLSearchParams(shown.search)), now);
  return isInbox(shown) && matches(question, alarm, () => true);
}
