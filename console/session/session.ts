// The life of a session on this page: signing in, signing out, and ending when the server says so.
import type { SignedIn } from '@vedette/contract/calls/account.ts';
import { ACCOUNT_STATUS } from '@vedette/contract/enumerations.ts';
import { SESSION_END_DELAY_MS } from '@vedette/contract/limits.ts';
import type { Clock } from '@vedette/foundation/time/clock.ts';
import { NetworkFailure } from '../calls/call-failure.ts';
import type { Caller } from '../calls/caller.ts';
import { type AccountStatus, forgetAuth, hasSession, rememberAuth, useAuth } from './auth-store.ts';
import { forgetRemembered } from './remembered-sign-in.ts';
import { forgetSaasToken, rememberSaas, saasToken } from './saas-values.ts';
import { endAutomaticSignIn } from './sign-in-key.ts';
import type { SessionLink } from './session-link.ts';
import { forgetState } from './state-storage.ts';

export interface SessionOptions {
  readonly caller: Caller;
  readonly clock: Clock;
  readonly link: SessionLink;
  /** Account status for the native shell (ST-01). */
  readonly tellShell: (status: AccountStatus) => void;
  readonly reloadConfig: () => Promise<void>;
  /** Goes to /login; `from` where the user should come back to. */
  readonly goToLogin: (hasEnded: boolean) => void;
  /** Where an application brought the account here (ST-03): to its sign-in. */
  readonly goToTrustLogin: () => void;
  /** Drops everything fetched for the account. */
  readonly forgetData: () => void;
}

export interface Session {
  signIn(signedIn: SignedIn): void;
  /** SaaS mode begins (OA-03): this page is the app's, and the account's own session goes on wherever else it is. */
  openSaas(opened: SignedIn, scopes: readonly string[]): void;
  /** Taken over from another tab: nothing is told back. */
  adopt(signedIn: SignedIn): void;
  /** ST-02; ends automatic sign-in too. Resolves when the server was told or could not be reached. */
  signOut(): Promise<void>;
  /** ST-04: 0 forgets the stored name and automatic sign-in too, 1 signs out alone. */
  operate(status: 0 | 1): Promise<void>;
  /** Somebody is on the page that makes an account; the returned function ends that. */
  beginRegistering(): () => void;
  /** Another tab signed out. */
  signedOutElsewhere(): void;
  /** ST-05: 1001, 1002, 2031 end the session one second later: that of the token they were said to, not one begun since. */
  endSoon(token: string): void;
}

export function createSession(options: SessionOptions): Session {
  const { caller, clock, link, tellShell, reloadConfig, forgetData } = options;
  let ending: string | null = null;

  function adopt(signedIn: SignedIn): void {
    rememberAuth(signedIn);
    tellShell(ACCOUNT_STATUS.loggedIn);
  }
  function leave(hasEnded: boolean): void {
    const isSaas = saasToken() !== '';
    forgetAuth(hasEnded);
    forgetRemembered('session');
    forgetState();
    forgetData();
    tellShell(ACCOUNT_STATUS.notLoggedIn);
    if (isSaas) {
      forgetSaasToken();
      options.goToTrustLogin();
    } else options.goToLogin(hasEnded);
    reloadConfig().catch((failure: unknown) => console.warn('server config not reloaded', failure));
  }
  /** The end of an application's session never ends the account's own, which other tabs may show (OA-03). */
  const tellTabs = (): void => {
    if (saasToken() === '') link.tellSignedOut();
  };
  const signOut = async (keepsKey: boolean): Promise<void> => {
    try {
      if (!keepsKey) await endAutomaticSignIn(caller);
      await caller.send('account/logout', {}, { showError: false, timeoutMs: 3000 });
    } catch (failure) {
      // Without a server the session ends here alone; the server lets it expire.
      if (!(failure instanceof NetworkFailure)) throw failure;
    } finally {
      tellTabs();
      leave(false);
    }
  };
  return {
    adopt,
    openSaas: (opened, scopes) => openSaas(options, opened, scopes),
    signOut: () => signOut(false),
    operate: async (status) => {
      if (status === 0) forgetRemembered('everything');
      await signOut(status === 1);
    },
    signIn: (signedIn) => {
      adopt(signedIn);
      link.tellSession(signedIn);
    },
    beginRegistering: () => beginRegistering(tellShell),
    signedOutElsewhere: () => leave(false),
    endSoon: (token) => {
      if (ending === token) return;
      ending = token;
      clock.after(SESSION_END_DELAY_MS, () => {
        if (ending === token) ending = null;
        if ((saasToken() || useAuth.getState().accessToken) !== token) return;
        tellTabs();
        leave(true);
      });
    },
  };
}

function openSaas(
  { tellShell, forgetData }: Pick<SessionOptions, 'tellShell' | 'forgetData'>,
  opened: SignedIn,
  scopes: readonly string[],
): void {
  forgetAuth(false);
  forgetState();
  forgetData();
  rememberSaas(opened, scopes);
  tellShell(ACCOUNT_STATUS.loggedIn);
}

function beginRegistering(tellShell: SessionOptions['tellShell']): () => void {
  tellShell(ACCOUNT_STATUS.registering);
  return () => {
    // Whoever got an account was told as signed in.
    if (!hasSession()) tellShell(ACCOUNT_STATUS.notLoggedIn);
  };
}
