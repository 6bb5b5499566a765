// Own open invitations, making one, and taking one back.
import type { CallInput, CallOutput } from '@vedette/contract/calls/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';

const KEY = ['user/invitation/list'];

export function useInvitations() {
  const caller = useCaller();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => caller.ask('user/invitation/list', {}, { signal, showError: false }),
  });
}

export function useInvite() {
  const caller = useCaller();
  const client = useQueryClient();
  return async (wish: CallInput<'user/invitation/create'>): Promise<CallOutput<'user/invitation/create'>> => {
    const made = await caller.ask('user/invitation/create', wish, { showError: false });
    await client.invalidateQueries({ queryKey: KEY });
    return made;
  };
}

export function useRevokeInvitation() {
  const caller = useCaller();
  const client = useQueryClient();
  return async (invitationId: string): Promise<void> => {
    try {
      await caller.ask('user/invitation/revoke', { invitationId });
    } finally {
      await client.invalidateQueries({ queryKey: KEY });
    }
  };
}
