// On whatever screen one is: counts what nobody has handled, and tells of critical alarms that are not in sight.
import { useQuery } from '@tanstack/react-query';
import { ALARM_SEVERITIES } from '@vedette/contract/alarm-types.ts';
import { isSuppressed } from '@vedette/rules/alarm/rule-match.ts';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { lastArrivalNo, noteUnhandled, unhandledCount, useAlarmStore } from '../../realtime/alarm-store.ts';
import { useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { showNotification } from '../../ui/feedback/toast-store.ts';
import { useAlarmQuiet } from './alarm-quiet.query.ts';
import { soundAlarm } from './alarm-sound.ts';
import { isInSight } from './alarm-views.ts';
import { alarmPlaceText, alarmTypeText } from './alarm-words.ts';

/** More is shown as 99+. */
const COUNTED = 100;

export function AlarmWatcher() {
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  return isSignedIn ? <Watching /> : null;
}

function Watching() {
  useUnhandled();
  useCriticalNotifications();
  useSound();
  return null;
}

function useUnhandled(): void {
  const { caller } = useServices();
  const userId = useAuth((auth) => auth.userId);
  const { data, refetch } = useQuery({
    queryKey: ['alarm/list', 'unhandled', userId],
    queryFn: async ({ signal }) => {
      const afterNo = lastArrivalNo();
      const severity = ALARM_SEVERITIES.filter((one) => one !== 'info');
      const input = { state: 'new', severity, pageSize: COUNTED } as const;
      const { alarmList } = await caller.ask('alarm/list', input, { signal, showError: false });
      return { alarmIds: alarmList.map(({ alarmId }) => alarmId), afterNo };
    },
    staleTime: Number.POSITIVE_INFINITY,
    // After a reset the same answer is to be noted again.
    structuralSharing: false,
  });
  useEffect(() => {
    if (data !== undefined) noteUnhandled(data.alarmIds, data.afterNo);
  }, [data]);
  // There may be more than were counted: they come up when those were handled.
  const isBelow = useAlarmStore((state) => unhandledCount(state) < COUNTED);
  const isCut = data?.alarmIds.length === COUNTED;
  useEffect(() => {
    if (isCut && isBelow) void refetch({ cancelRefetch: false });
  }, [isCut, isBelow, refetch]);
}

/** What is only information makes no sound, and nothing does where silence is wanted. */
function useSound(): void {
  const { clock } = useServices();
  const { query } = useAlarmQuiet();
  const quiet = query.data;
  const arrived = useAlarmStore((state) => state.arrived);
  const heardNo = useRef(arrived[0]?.no ?? 0);
  useEffect(() => {
    const now = clock.wallMs();
    const isHeard = arrived.some(
      ({ no, alarm }) =>
        no > heardNo.current && alarm.severity !== 'info' && (quiet === undefined || !isSuppressed(quiet, alarm, now)),
    );
    heardNo.current = arrived[0]?.no ?? heardNo.current;
    if (isHeard) soundAlarm(now);
  }, [arrived, quiet, clock]);
}

function useCriticalNotifications(): void {
  const t = useT();
  const { clock } = useServices();
  const shown = useLocation();
  const arrived = useAlarmStore((state) => state.arrived);
  const toldNo = useRef(arrived[0]?.no ?? 0);
  useEffect(() => {
    const now = clock.wallMs();
    const news = arrived.filter(
      ({ no, alarm }) => no > toldNo.current && alarm.severity === 'critical' && !isInSight(shown, alarm, now),
    );
    toldNo.current = arrived[0]?.no ?? toldNo.current;
    for (const { alarm } of news.slice(0, 3).reverse()) {
      const values = { type: alarmTypeText(t, alarm.type), place: alarmPlaceText(t, alarm) };
      showNotification('error', t('alarms.toast', values));
    }
  }, [arrived, shown, clock, t]);
}
