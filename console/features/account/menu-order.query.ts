// The order in which the account wants its screens: kept with it, so that every browser shows the same, on the home page and in the rail.
import { useQueryClient } from '@tanstack/react-query';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { PROFILE_KEY, useChangeProfile, useProfile } from './account.query.ts';

export interface MenuOrder {
  /** Link ids of cards and screens, the first first; empty where the account never chose. */
  readonly order: readonly string[];
  readonly keep: (order: readonly string[]) => Promise<void>;
}

const NONE: readonly string[] = [];

export function useMenuOrder(): MenuOrder {
  const t = useT();
  const client = useQueryClient();
  const change = useChangeProfile();
  const { data } = useProfile();
  return {
    order: data?.menuOrder ?? NONE,
    keep: async (order) => {
      const menuOrder = [...order];
      // Shown at once; a card that waits for the server looks as if it fell back.
      if (data !== undefined) client.setQueryData(PROFILE_KEY, { ...data, menuOrder });
      try {
        await change({ menuOrder });
      } catch (failure) {
        showToast('error', failureText(t, failure));
        await client.invalidateQueries({ queryKey: PROFILE_KEY });
      }
    },
  };
}
