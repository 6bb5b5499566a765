// What an application gave along when it brought an account here (UI-08): kept over signing out, its token apart, which is never the account's own.
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import { CLIENT_STATE_DEFAULTS, type ClientState, useClientState } from './client-state.ts';

type SaasValues = ClientState['saas'];
/** RT-12: as the address names them. */
const PARAMETERS = [
  ['client_id', 'appId'],
  ['redirect_uri', 'redirectUrl'],
  ['scope', 'scope'],
  ['state', 'state'],
  ['client_type', 'clientType'],
] as const satisfies readonly (readonly [string, keyof SaasValues])[];
const TEXT_MAX = 2048;

/** Empty outside of SaaS mode. */
export function saasToken(): string {
  return useClientState.getState().saas.token;
}

export function forgetSaasToken(): void {
  const none = { token: '', authCode: '', userId: '', userName: '' };
  useClientState.setState(({ saas }) => ({ saas: { ...saas, ...none } }));
}

/** The launch was confirmed; its code is used up. */
export function rememberSaas({ accessToken, userId, userName }: SignedIn, scopes: readonly string[]): void {
  const opened = { token: accessToken, authCode: '', scope: scopes.join(' '), userId, userName };
  useClientState.setState(({ saas }) => ({ saas: { ...saas, ...opened } }));
}

/** Where the request of an app begins, with what it gave along; a code is the only answer that there is. */
export function authorizeAddress(search: string): string {
  const query = new URLSearchParams(search);
  query.set('response_type', 'code');
  query.delete('client_type');
  return `/oidc/auth?${query}`;
}

/** Nothing is taken from an address without an application, and never a token (SE-09). */
export function takeSaasValues(search: string): void {
  const query = new URLSearchParams(search);
  if ((query.get('client_id') ?? '') === '') return;
  const given = PARAMETERS.map(([parameter, name]) => [name, (query.get(parameter) ?? '').slice(0, TEXT_MAX)]);
  useClientState.setState({ saas: { ...CLIENT_STATE_DEFAULTS.saas, ...Object.fromEntries(given) } });
}
