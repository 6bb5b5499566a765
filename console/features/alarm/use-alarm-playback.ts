// Playback of alarms one after another (ST-08, UI-05): the list, the place in it and the window asked for are client state.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { PLAYBACK_WINDOW_S } from '@vedette/contract/limits.ts';
import { useNavigate } from 'react-router';
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

function isPlayed(value: unknown): value is PlayedAlarm {
  return typeof value === 'object' && value !== null && 'alarmId' in value && 'time' in value && 'channelNo' in value;
}

/** Names the alarm in the address of playback. */
export const ALARM_PARAMETER = 'alarm';

export function useAlarmPlayback() {
  const navigate = useNavigate();
  const alarmList = useClientState((state) => state.alarmList);
  const index = useClientState((state) => state.alarmIndex);
  const alarms = alarmList.filter(isPlayed);
  const show = (list: readonly PlayedAlarm[], at: number): void => {
    const alarm = list[at];
    if (alarm === undefined) return;
    const { time: startTime } = alarm;
    const alarmTimeRange = { startTime, endTime: startTime + PLAYBACK_WINDOW_S * 1000 };
    useClientState.setState({ alarmList: list, alarmIndex: at, alarmTimeRange });
    const rest = new URLSearchParams({ time: String(startTime), [ALARM_PARAMETER]: alarm.alarmId });
    void navigate(`${channelAddress(PATHS.container, alarm)}&${rest}`);
  };
  return {
    alarms,
    index,
    /** Those of the list that have a picture, beginning with one of them. */
    begin: (all: readonly Alarm[], first: Alarm): void => {
      const list = all.filter(({ channelNo }) => channelNo > 0).map(playedOf);
      show(
        list,
        list.findIndex(({ alarmId }) => alarmId === first.alarmId),
      );
    },
    /** From where it stands at that moment: the next key may come before this is shown. */
    step: (by: 1 | -1): void => show(alarms, useClientState.getState().alarmIndex + by),
    end: (): void => useClientState.setState({ alarmList: [], alarmIndex: 0, alarmTimeRange: null }),
  };
}

function playedOf(alarm: Alarm): PlayedAlarm {
  const { alarmId, type, deviceSerial, deviceName, channelNo, channelName, time } = alarm;
  return { alarmId, type, deviceSerial, deviceName, channelNo, channelName, time };
}
