// Rules, channels and what was done: fetched, and fetched again after each change.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { reportNoAnswer } from '../../calls/report-no-answer.ts';

const RULES = 'alarm/rule/list';
const CHANNELS = 'alarm/channel/list';
const LOG = 'alarm/delivery/list';
const LOOK_EVERY_MS = 5000;

export function useAlarmRules() {
  const caller = useCaller();
  const userId = useAuth((auth) => auth.userId);
  return useQuery({
    queryKey: [RULES, userId],
    queryFn: async ({ signal }) => (await caller.ask('alarm/rule/list', {}, { signal, showError: false })).ruleList,
  });
}

export function useAlarmChannels() {
  const caller = useCaller();
  const userId = useAuth((auth) => auth.userId);
  return useQuery({
    queryKey: [CHANNELS, userId],
    queryFn: ({ signal }) => caller.ask('alarm/channel/list', {}, { signal, showError: false }),
  });
}

export function useDeliveries() {
  const caller = useCaller();
  const userId = useAuth((auth) => auth.userId);
  return useQuery({
    queryKey: [LOG, userId],
    queryFn: async ({ signal }) =>
      (await caller.ask('alarm/delivery/list', { pageSize: 50 }, { signal, showError: false })).deliveryList,
    refetchInterval: LOOK_EVERY_MS,
  });
}

const SILENT = { showError: false } as const;

function useAgain(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all([RULES, CHANNELS, LOG].map((name) => client.invalidateQueries({ queryKey: [name] })));
}

/** `onError` at once: the list is fetched again after it. */
export function useSaveRule(onError?: (failure: unknown) => void) {
  const caller = useCaller();
  const again = useAgain();
  return useMutation({
    mutationFn: (rule: CallInput<'alarm/rule/save'>) => caller.ask('alarm/rule/save', rule, SILENT),
    ...(onError && { onError }),
    // What failed is over at once; what was saved stands so until the list says it.
    onSettled: (_saved, failure) => {
      const fetched = again();
      return failure === null ? fetched : undefined;
    },
  });
}

/** An address of an e-mail channel, whether it wants alarms. */
export function useAskAddress() {
  const t = useT();
  const caller = useCaller();
  const again = useAgain();
  return useMutation({
    mutationFn: (asked: CallInput<'alarm/channel/ask'>) => caller.ask('alarm/channel/ask', asked),
    onError: (failure) => reportNoAnswer(t, failure),
    onSettled: again,
  });
}

export function useRuleActions() {
  const t = useT();
  const caller = useCaller();
  const again = useAgain();
  const saveRule = useSaveRule();
  const saveChannel = useMutation({
    mutationFn: (channel: CallInput<'alarm/channel/save'>) => caller.ask('alarm/channel/save', channel, SILENT),
    onSettled: again,
  });
  const deleteRule = useMutation({
    mutationFn: (ruleId: string) => caller.ask('alarm/rule/delete', { ruleId }, SILENT),
    onSettled: again,
  });
  const deleteChannel = useMutation({
    mutationFn: (channelId: string) => caller.ask('alarm/channel/delete', { channelId }, SILENT),
    onSettled: again,
  });
  const testRule = useMutation({
    mutationFn: (ruleId: string) => caller.ask('alarm/rule/test', { ruleId }),
    onError: (failure) => reportNoAnswer(t, failure),
    onSettled: again,
  });
  const testChannel = useMutation({
    mutationFn: (channelId: string) => caller.ask('alarm/channel/test', { channelId }),
    onError: (failure) => reportNoAnswer(t, failure),
    onSettled: again,
  });
  return { saveRule, saveChannel, deleteRule, deleteChannel, testRule, testChannel };
}
