// What arrived since the component was drawn, handed on once each, the newest first.
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { useEffect, useRef } from 'react';
import { useAlarmStore } from './alarm-store.ts';

export function useNewAlarms(take: (news: readonly Alarm[]) => void): void {
  const arrived = useAlarmStore((state) => state.arrived);
  const takenNo = useRef(arrived[0]?.no ?? 0);
  useEffect(() => {
    const newest = arrived[0]?.no ?? takenNo.current;
    if (newest === takenNo.current) return;
    const news = arrived.filter(({ no }) => no > takenNo.current).map(({ alarm }) => alarm);
    takenNo.current = newest;
    if (news.length > 0) take(news);
  }, [arrived, take]);
}
