// Identity providers as the operator's screen asks for them and changes them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallInput, CallPath } from '@vedette/contract/calls/calls.ts';
import type { IdentityProvider } from '@vedette/contract/calls/identity-provider.ts';
import { useCaller } from '../../../services/services.ts';

const PROVIDERS = ['identity/provider/list'];

export function useIdentityProviders() {
  const caller = useCaller();
  return useQuery({
    queryKey: PROVIDERS,
    queryFn: async ({ signal }) =>
      (await caller.ask('identity/provider/list', {}, { signal, showError: false })).providerList,
  });
}

type ChangePath = Extract<CallPath, 'identity/provider/save' | 'identity/provider/delete'>;

/** Makes a changing call, then fetches the list again, and what the sign-in page offers. */
export function useIdentityChange(): <P extends ChangePath>(path: P, input: CallInput<P>) => Promise<void> {
  const caller = useCaller();
  const client = useQueryClient();
  return async (path, input) => {
    try {
      await caller.ask(path, input, { showError: false });
    } finally {
      await Promise.all([PROVIDERS, ['server/version']].map((queryKey) => client.invalidateQueries({ queryKey })));
    }
  };
}

/** What a provider is saved with where one setting of it changes; its secret stays. */
export function savedAs(provider: IdentityProvider): CallInput<'identity/provider/save'> {
  const { providerId, version, providerName, issuer, clientId, scopes, directory } = provider;
  const { isEnabled, createsAccounts, linksByEmail, mappingList } = provider;
  const settings = { providerId, version, providerName, isEnabled, createsAccounts, linksByEmail, mappingList };
  if (directory === null) return { ...settings, issuer, clientId, scopes };
  return { ...settings, directory, ...(clientId !== '' && { clientId }) };
}
