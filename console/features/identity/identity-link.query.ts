// What the signed-in account is linked to, and what changes that.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useCaller } from '../../services/services.ts';

const LINKS_KEY = ['identity/link/list'];

export function useIdentityLinks() {
  const caller = useCaller();
  return useQuery({
    queryKey: LINKS_KEY,
    queryFn: ({ signal }) => caller.ask('identity/link/list', {}, { signal, showError: false }),
  });
}

/** True until it is known: an identity provider is the only way in of few. */
export function useHasPassword(): boolean {
  return useIdentityLinks().data?.hasPassword ?? true;
}

/** Leaves the page: the provider sends the browser back to it. */
export function useBeginLink(): (providerId: string) => Promise<void> {
  const caller = useCaller();
  return async (providerId) => {
    const { url } = await caller.ask('identity/link/begin', { providerId }, { showError: false });
    window.location.assign(url);
  };
}

/** Of a directory, by the name and the password of its user. */
export function useLinkDirectory(): (input: CallInput<'identity/link/directory'>) => Promise<void> {
  const caller = useCaller();
  const client = useQueryClient();
  return async (input) => {
    await caller.ask('identity/link/directory', input, { showError: false });
    await client.invalidateQueries({ queryKey: LINKS_KEY });
  };
}

export function useUnlink(): (providerId: string) => Promise<void> {
  const caller = useCaller();
  const client = useQueryClient();
  return async (providerId) => {
    try {
      await caller.ask('identity/link/delete', { providerId }, { showError: false });
    } finally {
      await client.invalidateQueries({ queryKey: LINKS_KEY });
    }
  };
}
