// The launch of SaaS mode by an address (RT-11): its token leaves the address before anything else happens, and is used up for a code.
import { CallFailure, NetworkFailure } from '../calls/call-failure.ts';
import type { Caller } from '../calls/caller.ts';
import { PATHS } from '../navigation/paths.ts';
import { useClientState } from './client-state.ts';
import { takeSaasValues } from './saas-values.ts';

const TOKEN_PARAMETER = 'access_token';
const TOKEN = /^[\w-]{20,512}$/;

export interface SaasLaunch {
  readonly token: string;
  /** The query of the address, without the token. */
  readonly search: string;
}

type LaunchedPage = Pick<Window, 'location' | 'history' | 'self' | 'top'>;

/**
 * From the query, or from a fragment, which no server sees. Null where the address launches nothing, and in a frame.
 * A token that came in either way does not stay in the address.
 */
export function takeSaasLaunch(page: LaunchedPage): SaasLaunch | null {
  const { pathname, search, hash } = page.location;
  if (pathname !== PATHS.trustLogin) return null;
  const query = new URLSearchParams(search);
  const fragment = new URLSearchParams(hash.slice(1));
  const token = fragment.get(TOKEN_PARAMETER) ?? query.get(TOKEN_PARAMETER);
  if (token === null) return null;
  query.delete(TOKEN_PARAMETER);
  const rest = `?${query}`;
  page.history.replaceState(page.history.state, '', pathname + rest);
  return TOKEN.test(token) && page.top === page.self ? { token, search: rest } : null;
}

export interface SaasLaunchParts {
  readonly callerWith: (token: string) => Caller;
  /** Shows an address in place of the present one, which nothing has read yet. */
  readonly goTo: (address: string) => void;
}

/** Leads to the confirmation; where the launch is refused to trust login, which says so. No session begins or ends by this. */
export async function beginSaasLaunch({ callerWith, goTo }: SaasLaunchParts, launch: SaasLaunch): Promise<void> {
  takeSaasValues(launch.search);
  const { appId, redirectUrl, scope } = useClientState.getState().saas;
  try {
    const input = { appId, redirectUri: redirectUrl, scope };
    const { authCode } = await callerWith(launch.token).ask('oauth/launch/begin', input);
    useClientState.setState(({ saas }) => ({ saas: { ...saas, authCode } }));
    goTo(PATHS.confirmInfo);
  } catch (failure) {
    if (!(failure instanceof CallFailure || failure instanceof NetworkFailure)) throw failure;
    const query = new URLSearchParams({ client_id: appId, launch: 'refused' });
    goTo(`${PATHS.trustLogin}?${query}`);
  }
}
