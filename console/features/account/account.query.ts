// The signed-in account as screens show it: profile, sessions, trusted browsers, and what changes them.
import type { Profile } from '@vedette/contract/calls/account.ts';
import type { CallInput } from '@vedette/contract/calls/calls.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';

export const PROFILE_KEY = ['account/info'];
const SESSIONS_KEY = ['account/session/list'];
const TRUSTED_KEY = ['trustDevice/list'];

export function useProfile() {
  const caller = useCaller();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  return useQuery({
    queryKey: PROFILE_KEY,
    queryFn: ({ signal }) => caller.ask('account/info', {}, { signal, showError: false }),
    enabled: isSignedIn,
  });
}

/** Shows a profile that a call has answered, without asking again. */
export function useTakeProfile(): (profile: Profile) => void {
  const client = useQueryClient();
  return (profile) => {
    client.setQueryData(PROFILE_KEY, profile);
    useAuth.setState({ userName: profile.userName });
  };
}

export function useChangeProfile() {
  const caller = useCaller();
  const take = useTakeProfile();
  return async (change: CallInput<'account/update'>): Promise<void> => {
    take(await caller.ask('account/update', change, { showError: false }));
  };
}

/** After what changes the profile without answering it. */
export function useProfileAgain(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: PROFILE_KEY });
}

export function useSessions() {
  const caller = useCaller();
  return useQuery({
    queryKey: SESSIONS_KEY,
    queryFn: ({ signal }) => caller.ask('account/session/list', {}, { signal, showError: false }),
  });
}

export function useEndSession() {
  const caller = useCaller();
  const client = useQueryClient();
  return async (sessionIds: readonly string[]): Promise<void> => {
    try {
      for (const sessionId of sessionIds) await caller.ask('account/session/revoke', { sessionId });
    } finally {
      await client.invalidateQueries({ queryKey: SESSIONS_KEY });
    }
  };
}

export function useEndSignInKey() {
  const caller = useCaller();
  const client = useQueryClient();
  return async (keyId: string): Promise<void> => {
    try {
      await caller.ask('account/key/delete', { keyId });
    } finally {
      await client.invalidateQueries({ queryKey: SESSIONS_KEY });
    }
  };
}

export function useTrustedBrowsers() {
  const caller = useCaller();
  return useQuery({
    queryKey: TRUSTED_KEY,
    queryFn: ({ signal }) => caller.ask('trustDevice/list', {}, { signal, showError: false }),
  });
}

export function useRevokeTrustedBrowser() {
  const caller = useCaller();
  const client = useQueryClient();
  return async (browserId: string): Promise<void> => {
    try {
      await caller.ask('trustDevice/delete', { browserId });
    } finally {
      await client.invalidateQueries({ queryKey: TRUSTED_KEY });
    }
  };
}
