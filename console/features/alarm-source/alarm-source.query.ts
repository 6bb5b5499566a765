// Where alarms come from beside devices: keys of other programs, and Frigate by MQTT.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';

const KEYS = 'event/key/list';
const MQTT = 'event/mqtt/get';
/** Whether the broker is there changes by itself. */
const LOOK_EVERY_MS = 5000;

export function useIngestKeys() {
  const caller = useCaller();
  const client = useQueryClient();
  const userId = useAuth((auth) => auth.userId);
  const query = useQuery({
    queryKey: [KEYS, userId],
    queryFn: async ({ signal }) => (await caller.ask('event/key/list', {}, { signal, showError: false })).keyList,
  });
  const again = () => client.invalidateQueries({ queryKey: [KEYS] });
  const add = useMutation({
    mutationFn: (name: string) => caller.ask('event/key/add', { name }, { showError: false }),
    onSettled: again,
  });
  const remove = useMutation({
    mutationFn: (keyId: string) => caller.ask('event/key/delete', { keyId }, { showError: false }),
    onSettled: again,
  });
  return { query, add, remove };
}

export function useFrigate() {
  const caller = useCaller();
  const client = useQueryClient();
  const query = useQuery({
    queryKey: [MQTT],
    queryFn: ({ signal }) => caller.ask('event/mqtt/get', {}, { signal, showError: false }),
    refetchInterval: LOOK_EVERY_MS,
  });
  const save = useMutation({
    mutationFn: (input: CallInput<'event/mqtt/set'>) => caller.ask('event/mqtt/set', input, { showError: false }),
    onSuccess: (state) => client.setQueryData([MQTT], state),
  });
  return { query, save };
}
