// The cameras that the account has chosen for the overview: kept with it, and shown at once.
import { useQueryClient } from '@tanstack/react-query';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { PROFILE_KEY, useChangeProfile, useProfile } from '../account/account.query.ts';

export function useHomeCameras() {
  const t = useT();
  const client = useQueryClient();
  const change = useChangeProfile();
  const { data, error, refetch } = useProfile();
  return {
    chosen: data === undefined ? undefined : (data.homeCameras ?? []),
    error,
    refetch,
    keep: async (homeCameras: ChannelPlace[]): Promise<void> => {
      if (data !== undefined) client.setQueryData(PROFILE_KEY, { ...data, homeCameras });
      try {
        await change({ homeCameras });
      } catch (failure) {
        showToast('error', failureText(t, failure));
        await client.invalidateQueries({ queryKey: PROFILE_KEY });
      }
    },
  };
}
