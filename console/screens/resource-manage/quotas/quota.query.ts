// Quotas of an account or a user type as the operator sees and sets them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { PAGE_SIZE_MAX } from '@vedette/contract/limits.ts';
import type { QuotaName, QuotaUnit, QuotaUserType } from '@vedette/contract/quotas.ts';
import type { Caller } from '../../../calls/caller.ts';
import { useCaller } from '../../../services/services.ts';

export type QuotaHolder = { readonly userType: QuotaUserType } | { readonly userId: string };

export interface HeldQuota {
  readonly quota: QuotaName;
  readonly unit: QuotaUnit;
  readonly limit: number;
  /** Null where it is not summed, and of a user type. */
  readonly used: number | null;
  /** Whether the limit is set for this holder itself, and does not come from a wider one. */
  readonly isOwn: boolean;
}

const QUOTAS_OF = 'quotas of';

export function useQuotas(holder: QuotaHolder) {
  const caller = useCaller();
  return useQuery({
    queryKey: [QUOTAS_OF, holder],
    queryFn: ({ signal }) => askQuotas(caller, holder, signal),
  });
}

async function askQuotas(caller: Caller, holder: QuotaHolder, signal: AbortSignal): Promise<HeldQuota[]> {
  const options = { signal, showError: false };
  if ('userId' in holder) {
    const { quotaList } = await caller.ask('quota/list', holder, options);
    return quotaList.map(({ setFor, ...quota }) => ({ ...quota, isOwn: setFor === 'account' }));
  }
  const { defaultList } = await caller.ask('quota/default/list', {}, options);
  return defaultList.map(({ quota, unit, limits }) => {
    const { limit, isSet } = limits[holder.userType];
    return { quota, unit, limit, used: null, isOwn: isSet };
  });
}

/** Accounts with quotas of their own. */
export function useAccounts() {
  const caller = useCaller();
  const input = { pageStart: 0, pageSize: PAGE_SIZE_MAX };
  return useQuery({
    queryKey: ['user/list', input],
    queryFn: ({ signal }) => caller.ask('user/list', input, { signal, showError: false }),
  });
}

/** Then what is shown is asked for again. */
export function useSetQuotas(): (input: CallInput<'quota/set'>) => Promise<void> {
  const caller = useCaller();
  const client = useQueryClient();
  return async (input) => {
    await caller.ask('quota/set', input, { showError: false });
    const shown = [[QUOTAS_OF], ['resource/list']];
    await Promise.all(shown.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
}
