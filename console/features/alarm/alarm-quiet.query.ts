// When the user wants no messages and no sound, as the server keeps it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AlarmQuiet } from '@vedette/contract/calls/alarm-rule.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';

export function useAlarmQuiet() {
  const caller = useCaller();
  const client = useQueryClient();
  const userId = useAuth((auth) => auth.userId);
  const key = ['alarm/quiet/get', userId];
  const query = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await caller.ask('alarm/quiet/get', {}, { signal, showError: false })).quiet,
    staleTime: 60_000,
  });
  const save = useMutation({
    mutationFn: async (quiet: AlarmQuiet) => (await caller.ask('alarm/quiet/set', { quiet })).quiet,
    onSuccess: (quiet) => client.setQueryData(key, quiet),
  });
  return { query, save };
}
