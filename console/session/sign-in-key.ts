// The key by which the native shell around this page signs in without a password; its private half stays with the shell.
import type { SignInKeyInput } from '@vedette/contract/calls/account.ts';
import { askShell, sendToShell } from '../bridge/native-shell.ts';
import { CallFailure, NetworkFailure } from '../calls/call-failure.ts';
import type { Caller } from '../calls/caller.ts';
import { useAuth } from './auth-store.ts';
import { forgetRemembered } from './remembered-sign-in.ts';
import { saasToken } from './saas-values.ts';

/** The public half of a new key; null where the shell makes none. */
export async function createSignInKey(): Promise<SignInKeyInput | null> {
  return await askShell('signInKey/create', {});
}

/** After the server registered it. */
export function keepSignInKey(loginName: string): void {
  sendToShell('signInKey/keep', { userId: useAuth.getState().userId, loginName });
}

/** Whoever signs out signs in by hand next time; an application has no part in the account's own key. */
export async function endAutomaticSignIn(caller: Caller): Promise<void> {
  if (saasToken() !== '') return;
  forgetRemembered('session and key');
  await endSignInKey(caller);
}

/** While the account is still signed in: the shell forgets its key, and the server takes it no more. */
export async function endSignInKey(caller: Caller): Promise<void> {
  const keyId = (await askShell('signInKey/forget', {}))?.keyId;
  if (keyId === undefined) return;
  try {
    await caller.ask('account/key/delete', { keyId }, { showError: false, timeoutMs: 3000 });
  } catch (failure) {
    // It is another account's, or the server is away: without its private half the key opens nothing.
    if (!(failure instanceof CallFailure || failure instanceof NetworkFailure)) throw failure;
  }
}
