// Whether the account gets alarms at all: without the right the rail leads to none (PM-02).
import { useQuery } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';

/** True while it is not known: what disappears later is less of a loss than what appears late. */
export function useHasAlarms(): boolean {
  const caller = useCaller();
  const userId = useAuth((auth) => auth.userId);
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const { data } = useQuery({
    queryKey: ['permission/list', userId],
    enabled: isSignedIn,
    queryFn: ({ signal }) => caller.ask('permission/list', {}, { signal, showError: false }),
    staleTime: 60_000,
  });
  return data === undefined || data.flags.AlarmPush;
}
