// Object stores and cloud plans as the screen asks for them and changes them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput, CallPath } from '@vedette/contract/calls/calls.ts';
import { useCaller } from '../../../services/services.ts';

const STORES = ['cloud/store/list'];
const PLANS = ['cloud/plan/list'];
/** The backlog moves while somebody looks. */
const AGAIN_MS = 5000;

export function useStores() {
  const caller = useCaller();
  return useQuery({
    queryKey: STORES,
    queryFn: async ({ signal }) => (await caller.ask('cloud/store/list', {}, { signal, showError: false })).storeList,
  });
}

export function usePlans() {
  const caller = useCaller();
  return useQuery({
    queryKey: PLANS,
    queryFn: async ({ signal }) => (await caller.ask('cloud/plan/list', {}, { signal, showError: false })).planList,
    refetchInterval: AGAIN_MS,
  });
}

/** Stores as plans may name them. */
export function useCombos() {
  const caller = useCaller();
  return useQuery({
    queryKey: ['cloud/combo/list'],
    queryFn: ({ signal }) => caller.ask('cloud/combo/list', {}, { signal, showError: false }),
  });
}

/** Cameras of the local site with recordings. */
export function useRecordedChannels() {
  const caller = useCaller();
  return useQuery({
    queryKey: ['system/storage/use'],
    queryFn: async ({ signal }) =>
      (await caller.ask('system/storage/use', {}, { signal, showError: false })).channelList,
  });
}

/** What a plan would hold; `input` null: nothing is chosen yet. */
export function useEstimate(input: CallInput<'cloud/plan/estimate'> | null) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['cloud/plan/estimate', input],
    enabled: input !== null,
    queryFn: async ({ signal }) =>
      input === null ? null : await caller.ask('cloud/plan/estimate', input, { signal, showError: false }),
  });
}

type ChangePath = Extract<CallPath, 'cloud/store/save' | 'cloud/store/delete' | 'cloud/plan/open' | 'cloud/plan/close'>;

/** Makes one of the changing calls, then fetches both lists again. */
export function useCloudChange(): <P extends ChangePath>(path: P, input: CallInput<P>) => Promise<void> {
  const caller = useCaller();
  const client = useQueryClient();
  return async (path, input) => {
    try {
      await caller.ask(path, input, { showError: false });
    } finally {
      await Promise.all(
        [STORES, PLANS, ['cloud/combo/list']].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    }
  };
}
