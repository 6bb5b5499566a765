// Recorder groups, and what the operator does with them.
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';

const KEY = ['site/group/list'];
/** A take-over takes seconds: who looks sees it. */
const LOOK_MS = 3000;

export function useRecorderGroups() {
  const caller = useCaller();
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await caller.ask('site/group/list', {}, { signal, showError: false })).groupList,
    refetchInterval: LOOK_MS,
  });
}

export function useRecorderGroupChanges() {
  const caller = useCaller();
  const client = useQueryClient();
  const after = async <R>(work: Promise<R>): Promise<R> => {
    try {
      return await work;
    } finally {
      await client.invalidateQueries({ queryKey: KEY });
    }
  };
  return {
    save: (group: CallInput<'site/group/save'>) => after(caller.ask('site/group/save', group, { showError: false })),
    dissolve: (groupId: string) => after(caller.ask('site/group/delete', { groupId }, { showError: false })),
    bringBack: (siteId: string) => after(caller.ask('site/group/return', { siteId }, { showError: false })),
  };
}
