// Alarms that are played back one after another (ST-08, UI-05): the list, the place in it and the window asked for are client state.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import { channelAddress, PATHS } from '../../navigation/paths.ts';
import { useClientState } from '../../session/client-state.ts';

/** What is kept of an alarm while one goes from picture to picture. */
export interface PlayedAlarm {
  readonly alarmId: string;
  readonly type: string;
  readonly deviceSerial: string;
  readonly deviceName: string;
  readonly channelNo: number;
  readonly channelName: string;
  readonly time: number;
}

/** Names the alarm in the address of playback. */
export const ALARM_PARAMETER = 'alarm';

/** Of what is kept over a reload, the alarms. */
export function playedAlarms(kept: readonly unknown[]): readonly PlayedAlarm[] {
  return kept.filter(isPlayed);
}

/** Those that have a picture. */
export function playableAlarms(alarms: readonly Alarm[]): readonly PlayedAlarm[] {
  return alarms.filter(({ channelNo }) => channelNo > 0).map(playedOf);
}

/** Keeps the list and the place in it; the address that plays the alarm, or null where none stands there. */
export function playAlarm(list: readonly PlayedAlarm[], at: number): string | null {
  const alarm = list[at];
  if (alarm === undefined) return null;
  const { time: startTime } = alarm;
  const alarmTimeRange = { startTime, endTime: startTime + PLAYBACK_WINDOW_S * 1000 };
  useClientState.setState({ alarmList: list, alarmIndex: at, alarmTimeRange });
  const rest = new URLSearchParams({ time: String(startTime), [ALARM_PARAMETER]: alarm.alarmId });
  return `${channelAddress(PATHS.container, alarm)}&${rest}`;
}

function isPlayed(value: unknown): value is PlayedAlarm {
  return typeof value === 'object' && value !== null && 'alarmId' in value && 'time' in value && 'channelNo' in value;
}

function playedOf(alarm: Alarm): PlayedAlarm {
  const { alarmId, type, deviceSerial, deviceName, channelNo, channelName, time } = alarm;
  return { alarmId, type, deviceSerial, deviceName, channelNo, channelName, time };
}
