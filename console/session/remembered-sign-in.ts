// What the client keeps on its machine about signing in: the name where that is wished, and the session where one begins signed in. Never a password.
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import { NO_AUTH, rememberAuth, useAuth } from './auth-store.ts';
import { useClientState } from './client-state.ts';

const NAME_KEY = 'vedette.client.name';
const SESSION_KEY = 'vedette.client.session';

export interface RememberedSignIn {
  readonly loginName: string;
  readonly isAutoLogin: boolean;
}

export function readRemembered(): RememberedSignIn {
  return {
    loginName: localStorage.getItem(NAME_KEY) ?? '',
    isAutoLogin: localStorage.getItem(SESSION_KEY) !== null,
  };
}

/** After signing in. */
export function rememberSignIn({ loginName, isAutoLogin }: RememberedSignIn): void {
  put(NAME_KEY, loginName);
  const { accessToken, expireTime, serverAddress, userId, userName, userType } = useAuth.getState();
  const session: SignedIn = { accessToken, expireTime, serverAddress, userId, userName, userType };
  put(SESSION_KEY, isAutoLogin ? JSON.stringify(session) : '');
  useClientState.setState({ isAutoLogin });
}

/** With the session goes the automatic sign-in; the name stays unless it is to be forgotten too (ST-04). */
export function forgetRemembered(withName: boolean): void {
  localStorage.removeItem(SESSION_KEY);
  if (withName) localStorage.removeItem(NAME_KEY);
}

/** At the start of the client: goes on with the session that was kept; the server refuses it where it is over. */
export function resumeRemembered(): void {
  const text = localStorage.getItem(SESSION_KEY);
  if (text === null || useAuth.getState().accessToken !== '') return;
  const session = parse(text);
  if (session === null) localStorage.removeItem(SESSION_KEY);
  else {
    rememberAuth(session);
    useClientState.setState({ isAutoLogin: true });
  }
}

function parse(text: string): SignedIn | null {
  try {
    const value = JSON.parse(text) as Partial<SignedIn> | null;
    return typeof value?.accessToken === 'string' && value.accessToken !== '' ? { ...NO_AUTH, ...value } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

function put(key: string, text: string): void {
  if (text === '') localStorage.removeItem(key);
  else localStorage.setItem(key, text);
}
