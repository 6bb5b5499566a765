// Playback of alarms one after another, as components begin, step and end it.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { useNavigate } from 'react-router';
import { useClientState } from '../../session/client-state.ts';
import { type PlayedAlarm, playAlarm, playableAlarms, playedAlarms } from './played-alarms.ts';

export function useAlarmPlayback() {
  const navigate = useNavigate();
  const alarmList = useClientState((state) => state.alarmList);
  const index = useClientState((state) => state.alarmIndex);
  const alarms = playedAlarms(alarmList);
  const show = (list: readonly PlayedAlarm[], at: number): void => {
    const address = playAlarm(list, at);
    if (address !== null) void navigate(address);
  };
  return {
    alarms,
    index,
    /** Those of the list that have a picture, beginning with one of them. */
    begin: (all: readonly Alarm[], first: Alarm): void => {
      const list = playableAlarms(all);
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
