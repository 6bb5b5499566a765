// Who is signed in on this page: the token in session storage, never a password (UI-02).
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import { ACCOUNT_STATUS, USER_TYPE } from '@vedette/contract/enumerations.ts';
import { create } from 'zustand';
import { saasToken } from './saas-values.ts';

export interface AuthState {
  /** Empty by default. */
  readonly accessToken: string;
  /** Milliseconds since 1970 UTC. */
  readonly expireTime: number;
  readonly serverAddress: string;
  readonly userId: string;
  readonly userName: string;
  /** 3 until the server says otherwise; it opens nothing. */
  readonly userType: number;
  /** Set while the page shows sign-in because the session ended by itself. */
  readonly hasEnded: boolean;
}

export const NO_AUTH: AuthState = {
  accessToken: '',
  expireTime: 0,
  serverAddress: '',
  userId: '',
  userName: '',
  userType: USER_TYPE.background,
  hasEnded: false,
};

const STORAGE_KEY = 'vedette.auth';
const STORAGE_VERSION = 1;

function readStored(): AuthState {
  const text = sessionStorage.getItem(STORAGE_KEY);
  if (text === null) return NO_AUTH;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (failure) {
    console.warn('stored session dropped', failure);
    return NO_AUTH;
  }
  if (typeof value !== 'object' || value === null) return NO_AUTH;
  const { version, auth } = value as { version?: unknown; auth?: Partial<AuthState> };
  // Unknown shapes are dropped: signing in again is safer than guessing.
  if (version !== STORAGE_VERSION || typeof auth?.accessToken !== 'string') return NO_AUTH;
  return { ...NO_AUTH, ...auth, hasEnded: false };
}

export const useAuth = create<AuthState>(readStored);

useAuth.subscribe((auth) => {
  if (auth.accessToken === '') sessionStorage.removeItem(STORAGE_KEY);
  else sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ version: STORAGE_VERSION, auth }));
});

export function hasSession(): boolean {
  return useAuth.getState().accessToken !== '';
}

export type AccountStatus = (typeof ACCOUNT_STATUS)[keyof typeof ACCOUNT_STATUS];

/** As long as nobody registers. */
export function accountStatus(): AccountStatus {
  return hasSession() || saasToken() !== '' ? ACCOUNT_STATUS.loggedIn : ACCOUNT_STATUS.notLoggedIn;
}

/** Null while nobody is. */
export function signedInOf(auth: AuthState): SignedIn | null {
  return auth.accessToken === '' ? null : auth;
}

export function rememberAuth(signedIn: SignedIn): void {
  const { accessToken, expireTime, serverAddress, userId, userName, userType } = signedIn;
  useAuth.setState({ accessToken, expireTime, serverAddress, userId, userName, userType, hasEnded: false });
}

export function forgetAuth(hasEnded: boolean): void {
  useAuth.setState({ ...NO_AUTH, hasEnded });
}
