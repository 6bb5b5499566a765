// Trials as the section asks for them and changes them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useCaller } from '../../../services/services.ts';

const TRIALS = ['resource/trial/list'];

export function useTrials() {
  const caller = useCaller();
  return useQuery({
    queryKey: TRIALS,
    queryFn: async ({ signal }) =>
      (await caller.ask('resource/trial/list', {}, { signal, showError: false })).trialList,
  });
}

type ChangePath = 'resource/trial/apply' | 'resource/trial/grant';

/** Then trials and limits are asked for again. */
export function useTrialChange(): <P extends ChangePath>(path: P, input: CallInput<P>) => Promise<void> {
  const caller = useCaller();
  const client = useQueryClient();
  return async (path, input) => {
    try {
      await caller.ask(path, input, { showError: false });
    } finally {
      await Promise.all([TRIALS, ['resource/list']].map((queryKey) => client.invalidateQueries({ queryKey })));
    }
  };
}
