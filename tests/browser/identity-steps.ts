// Sets an identity provider up by the operator's calls, for tests of signing in by it.
import type { ApiClient } from '../harness/api-client.ts';
import { STRANGER_CLIENT, type StrangerProvider } from '../harness/stranger-provider.ts';
import { OPERATOR } from './signed-in.ts';

export async function addProvider(operator: ApiClient, stranger: StrangerProvider, providerName: string) {
  await operator.ok('account/stepUp', { password: OPERATOR[1] });
  const { provider } = await operator.ok('identity/provider/save', {
    ...STRANGER_CLIENT,
    providerName,
    issuer: stranger.issuer,
    scopes: 'openid email profile',
    isEnabled: true,
    createsAccounts: true,
    linksByEmail: false,
    mappingList: [],
  });
  stranger.register(provider.redirectUrl);
}
