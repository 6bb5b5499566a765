// What the client keeps on its machine about signing in: the name where that is wished, and the session where one begins signed in and the shell holds no key. Never a password.
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import { NO_AUTH, rememberAuth, useAuth } from './auth-store.ts';
import { useClientState } from './client-state.ts';

const NAME_KEY = 'vedette.client.name';
const SESSION_KEY = 'vedette.client.session';
/** That the shell signs in by its key. */
const BY_KEY = 'vedette.client.byKey';

export interface RememberedSignIn {
  readonly loginName: string;
  readonly isAutoLogin: boolean;
}

export function readRemembered(): RememberedSignIn {
  return {
    loginName: localStorage.getItem(NAME_KEY) ?? '',
    isAutoLogin: [SESSION_KEY, BY_KEY].some((name) => localStorage.getItem(name) !== null),
  };
}

/** After signing in. `hasKey`: the shell signs in by a key, and no session is kept. */
export function rememberSignIn({ loginName, isAutoLogin }: RememberedSignIn, hasKey: boolean): void {
  put(NAME_KEY, loginName);
  const { accessToken, expireTime, serverAddress, userId, userName, userType } = useAuth.getState();
  const session: SignedIn = { accessToken, expireTime, serverAddress, userId, userName, userType };
  put(SESSION_KEY, isAutoLogin && !hasKey ? JSON.stringify(session) : '');
  put(BY_KEY, hasKey ? 'yes' : '');
  useClientState.setState({ isAutoLogin });
}

/** With the session goes the automatic sign-in that it served; the name, and that there is a key, stay unless they are to be forgotten too (ST-04). */
export function forgetRemembered(part: 'session' | 'session and key' | 'everything'): void {
  localStorage.removeItem(SESSION_KEY);
  if (part !== 'session') localStorage.removeItem(BY_KEY);
  if (part === 'everything') localStorage.removeItem(NAME_KEY);
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
