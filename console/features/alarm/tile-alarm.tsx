// The most severe active alarm of a channel over its video: a label, and a ring where it is severe (AL-03).
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useT } from '../../language/use-t.ts';
import { lastingAlarm, noteLasting, useAlarmStore } from '../../realtime/alarm-store.ts';
import { useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { AlarmIcon } from './alarm-icon.tsx';
import { alarmTypeText } from './alarm-words.ts';
import style from './tile-alarm.module.css';

export interface TileAlarmProps {
  readonly deviceSerial: string;
  readonly channelNo: number;
}

export function TileAlarm({ deviceSerial, channelNo }: TileAlarmProps) {
  const t = useT();
  const alarm = useAlarmStore((state) => lastingAlarm(state, deviceSerial, channelNo));
  if (alarm === null || alarm.severity === 'info') return null;
  return (
    <div className={style.ring} data-severity={alarm.severity} data-tile-alarm={alarm.type} data-on-picture>
      <span className={style.chip} role="status">
        <AlarmIcon group={alarm.group} severity={alarm.severity} label={t(`severity_${alarm.severity}`)} />
        <span className={style.word}>{alarmTypeText(t, alarm.type)}</span>
      </span>
    </div>
  );
}

/** As many as the largest wall has windows, and some more. */
const ASKED = 100;

/** What began before the page was opened is not pushed: asked for once, and again after a break. */
export function useLastingAlarms(): void {
  const { caller } = useServices();
  const userId = useAuth((auth) => auth.userId);
  const { data } = useQuery({
    queryKey: ['alarm/list', 'lasting', userId],
    queryFn: ({ signal }) =>
      caller.ask('alarm/list', { isActive: true, pageSize: ASKED }, { signal, showError: false }),
    // The same answer again counts too: what was noted of the last one may be forgotten by then.
    structuralSharing: false,
  });
  useEffect(() => {
    if (data !== undefined) noteLasting(data.alarmList);
  }, [data]);
}
