// Tasks of edge intelligence and their sites as the screen asks for them and changes them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput, CallPath } from '@vedette/contract/calls/calls.ts';
import { useCaller } from '../../services/services.ts';

const TASKS = ['ai/task/list'];
const SITES = ['ai/model/list'];
/** States and figures move while somebody looks. */
const AGAIN_MS = 5000;

export function useTasks() {
  const caller = useCaller();
  return useQuery({
    queryKey: TASKS,
    queryFn: async ({ signal }) => (await caller.ask('ai/task/list', {}, { signal, showError: false })).taskList,
    refetchInterval: AGAIN_MS,
  });
}

export function useAnalysisSites() {
  const caller = useCaller();
  return useQuery({
    queryKey: SITES,
    queryFn: async ({ signal }) => (await caller.ask('ai/model/list', {}, { signal, showError: false })).siteList,
    refetchInterval: AGAIN_MS,
  });
}

/** Zone in which plans of a camera are read; undefined until it is known. */
export function useCameraZone(place: { readonly deviceSerial: string; readonly channelNo: number } | null) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['record/plan/get', place],
    enabled: place !== null,
    queryFn: async ({ signal }) =>
      place === null ? null : (await caller.ask('record/plan/get', place, { signal, showError: false })).timeZone,
  });
}

type ChangePath = Extract<CallPath, 'ai/task/save' | 'ai/task/delete'>;

/** Makes one of the changing calls, then fetches both lists again. */
export function useTaskChange(): <P extends ChangePath>(path: P, input: CallInput<P>) => Promise<void> {
  const caller = useCaller();
  const client = useQueryClient();
  return async (path, input) => {
    try {
      await caller.ask(path, input, { showError: false });
    } finally {
      await Promise.all([TASKS, SITES].map((queryKey) => client.invalidateQueries({ queryKey })));
    }
  };
}
