// On whatever screen one is: counts what nobody has handled, and tells of critical alarms that are not in sight.
import { useQuery } from '@tanstack/react-query';
import { ALARM_SEVERITIES } from '@vedette/contract/alarm-types.ts';
import { isSuppressed } from '@vedette/rules/alarm/rule-match.ts';
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { lastArrivalNo, noteUnhandled, unhandledCount, useAlarmStore } from '../../realtime/alarm-store.ts';
import { useNewAlarms } from '../../realtime/use-new-alarms.ts';
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
  useNewAlarms((news) => {
    const now = clock.wallMs();
    const isHeard = news.some(
      (alarm) => alarm.severity !== 'info' && (quiet === undefined || !isSuppressed(quiet, alarm, now)),
    );
    if (isHeard) soundAlarm(now);
  });
}

function useCriticalNotifications(): void {
  const t = useT();
  const { clock } = useServices();
  const shown = useLocation();
  useNewAlarms((news) => {
    const now = clock.wallMs();
    const unseen = news.filter((alarm) => alarm.severity === 'critical' && !isInSight(shown, alarm, now));
    for (const alarm of unseen.slice(0, 3).reverse()) {
      const values = { type: alarmTypeText(t, alarm.type), place: alarmPlaceText(t, alarm) };
      showNotification('error', t('alarms.toast', values));
    }
  });
}
