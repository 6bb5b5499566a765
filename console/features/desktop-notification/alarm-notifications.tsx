// In a shell: notifications on the desktop of alarms that come while no window of the console is in use. A click shows the alarm.
import { useQueryClient } from '@tanstack/react-query';
import type { Alarm } from '@vedette/contract/calls/alarm.ts';
import { isSuppressed } from '@vedette/rules/alarm/rule-match.ts';
import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { sendToShell } from '../../bridge/native-shell.ts';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useNewAlarms } from '../../realtime/use-new-alarms.ts';
import { useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { alarmQuietQuery } from '../alarm/alarm-quiet.query.ts';
import { alarmPlaceText, alarmTypeText } from '../alarm/alarm-words.ts';
import { isAnyFocused, useFocusMark } from './focus-mark.ts';
import { NotificationBudget } from './notification-budget.ts';
import { canShowNotifications, useNotificationSwitch } from './notification-switch.ts';

const ICON = '/icons/vedette-192.png';

/** One for each signed-in account: what it showed goes with it. */
export function AlarmNotifications() {
  const userId = useAuth((auth) => auth.userId);
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  useFocusMark();
  return isSignedIn ? <Noticing key={userId} /> : null;
}

function Noticing() {
  const t = useT();
  const { clock } = useServices();
  const isWanted = useWanted();
  const show = useNotifications();
  const budget = useRef(new NotificationBudget());
  const take = useCallback(
    async (news: readonly Alarm[]) => {
      if (!useNotificationSwitch.getState().isOn || !canShowNotifications()) return;
      const wanted = await isWanted(news);
      if (wanted.length === 0 || (await isAnyFocused())) return;
      const { singles, more } = budget.current.plan(wanted, clock.wallMs());
      for (const alarm of singles.toReversed()) {
        const { alarmId, severity } = alarm;
        const address = `${PATHS.alarmMsg}?${new URLSearchParams({ alarm: alarmId })}`;
        // Windows that show the same alarm show it once: a notification takes the place of one with its tag.
        const options = { body: alarmPlaceText(t, alarm), tag: alarmId, requireInteraction: severity === 'critical' };
        show(alarmTypeText(t, alarm.type), options, address);
      }
      if (more > 0) show(t('alarms.moreNotifications', { count: more }), { tag: 'more' }, PATHS.alarmMsg);
    },
    [t, clock, isWanted, show],
  );
  useNewAlarms((news) => void take(news));
  return null;
}

/** As for the sound: not what is only information, nor what is to be quiet. Asked anew, since nobody looked at this window meanwhile. */
function useWanted(): (news: readonly Alarm[]) => Promise<readonly Alarm[]> {
  const { caller, clock } = useServices();
  const userId = useAuth((auth) => auth.userId);
  const client = useQueryClient();
  return useCallback(
    async (news) => {
      const loud = news.filter(({ severity }) => severity !== 'info');
      if (loud.length === 0) return loud;
      const query = alarmQuietQuery(caller, userId);
      // A server that cannot be asked now: what was known last holds.
      const quiet = await client.fetchQuery(query).catch(() => client.getQueryData(query.queryKey));
      return loud.filter((alarm) => quiet === undefined || !isSuppressed(quiet, alarm, clock.wallMs()));
    },
    [caller, clock, client, userId],
  );
}

type ShowNotification = (title: string, options: NotificationOptions, address: string) => void;

function useNotifications(): ShowNotification {
  const navigate = useNavigate();
  const shown = useRef(new Set<Notification>());
  useEffect(() => {
    const { current } = shown;
    return () => {
      for (const notification of current) notification.close();
      current.clear();
    };
  }, []);
  return useCallback(
    (title, options, address) => {
      const notification = new Notification(title, { icon: ICON, ...options });
      shown.current.add(notification);
      notification.addEventListener('close', () => shown.current.delete(notification));
      notification.addEventListener('click', () => {
        window.focus();
        sendToShell('window/raise', {});
        notification.close();
        void navigate(address);
      });
    },
    [navigate],
  );
}
