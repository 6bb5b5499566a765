// How long ago the last alarm began, always in sight: silence must not look like safety.
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { useAlarmStore } from '../../realtime/alarm-store.ts';
import { useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';

const EVERY_MS = 5000;

export function LastAlarmAge() {
  const t = useT();
  const { caller, clock } = useServices();
  const userId = useAuth((auth) => auth.userId);
  const pushed = useAlarmStore(({ arrived }) => arrived[0]?.alarm.time ?? 0);
  const { data } = useQuery({
    queryKey: ['alarm/list', 'last', userId],
    queryFn: async ({ signal }) =>
      (await caller.ask('alarm/list', { pageSize: 1 }, { signal, showError: false })).alarmList[0]?.time ?? 0,
  });
  const [now, setNow] = useState(() => clock.wallMs());
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.wallMs()), EVERY_MS);
    return () => clearInterval(timer);
  }, [clock]);
  if (data === undefined) return null;
  const last = Math.max(data, pushed);
  if (last === 0) return <span>{t('alarms.lastNever')}</span>;
  const seconds = Math.max(0, Math.round((Math.max(now, last) - last) / 1000));
  const age =
    seconds < 120
      ? t('age.seconds', { value: seconds })
      : seconds < 7200
        ? t('age.minutes', { value: Math.round(seconds / 60) })
        : t('age.hours', { value: Math.round(seconds / 3600) });
  return <span data-last-alarm={last}>{t('alarms.lastSeen', { age })}</span>;
}
