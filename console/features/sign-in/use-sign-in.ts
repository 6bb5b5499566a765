// Signing in from a form: name and password, the check after failures, the second factor. Secrets live here alone and go with the component.
import { type SignInKeyInput, TWO_FACTOR_CODE } from '@vedette/contract/calls/account.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { useState } from 'react';
import { CallFailure, failureCode } from '../../calls/call-failure.ts';
import { useServices } from '../../services/services.ts';
import { fetchPreferences } from '../preferences/account-preferences.ts';
import { browserId } from '../../session/browser-id.ts';
import { useClientState } from '../../session/client-state.ts';
import { type TwoFactorChallenge, readTwoFactorChallenge } from './two-factor-challenge.ts';

export interface SignInState {
  readonly account: string;
  readonly password: string;
  readonly captcha: string;
  /** The server asks for the check: after failures, and from then on. */
  readonly isChecked: boolean;
  /** Set while the second factor is asked for. */
  readonly factor: TwoFactorChallenge | null;
  readonly code: string;
  readonly isTrusted: boolean;
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly failure: unknown;
}

const CHECK_CODES: readonly (number | null)[] = [ERROR_CODES.captchaRequired, ERROR_CODES.captchaFailed];

function begin(): SignInState {
  return {
    account: useClientState.getState().accountLoginName,
    password: '',
    captcha: '',
    isChecked: false,
    factor: null,
    code: '',
    isTrusted: false,
    isTried: false,
    isBusy: false,
    failure: null,
  };
}

/** What follows from a refusal. */
function afterFailure(before: SignInState, failure: unknown): SignInState {
  const code = failureCode(failure);
  const after: SignInState = { ...before, isBusy: false, failure, captcha: '', isTried: false };
  if (code === ERROR_CODES.twofactorAuth && failure instanceof CallFailure) {
    return { ...after, factor: readTwoFactorChallenge(failure.data), failure: null, code: '' };
  }
  if (CHECK_CODES.includes(code)) return { ...after, isChecked: true };
  if (code === ERROR_CODES.verifyCodeWrong) return { ...after, code: '' };
  // Without an answer the password was not the fault.
  return code === null ? after : { ...after, password: '', factor: null };
}

export interface SignInOptions {
  /** `hasKey`: the server registered the key of the shell. */
  readonly onSignedIn?: ((hasKey: boolean) => void) | undefined;
  /** Where the account shall sign in by a key from now on; null where the shell makes none. */
  readonly createKey?: (() => Promise<SignInKeyInput | null>) | undefined;
}

export function useSignIn({ onSignedIn, createKey }: SignInOptions) {
  const { caller, session, mode } = useServices();
  const [state, setState] = useState<SignInState>(begin);
  const change = (part: Partial<SignInState>): void => setState((before) => ({ ...before, ...part }));

  function isComplete(account: string): boolean {
    if (state.factor !== null) return TWO_FACTOR_CODE.test(state.code.trim());
    return account !== '' && state.password !== '' && !(state.isChecked && state.captcha === '');
  }

  async function submit(): Promise<boolean> {
    const account = state.account.trim();
    if (!isComplete(account)) {
      change({ isTried: true });
      return false;
    }
    change({ isBusy: true, failure: null });
    try {
      const signInKey = (await createKey?.()) ?? null;
      const signedIn = await caller.ask(
        'account/login',
        {
          account,
          password: state.password,
          browserId: browserId(),
          clientType: mode,
          ...(state.captcha !== '' && { captcha: state.captcha }),
          ...(state.factor !== null && { verifyCode: state.code.trim(), trustDevice: state.isTrusted }),
          ...(signInKey !== null && { signInKey }),
        },
        { showError: false },
      );
      useClientState.setState({ accountLoginName: account });
      session.signIn(signedIn);
      // The page goes on by itself: what waits for another answer would come upon somebody who is elsewhere by then.
      onSignedIn?.(signInKey !== null);
      await fetchPreferences(caller);
      return true;
    } catch (failure) {
      setState((before) => afterFailure(before, failure));
      return false;
    }
  }
  const startOver = (): void => change({ factor: null, code: '', password: '', failure: null, isTried: false });
  return { state, change, submit, startOver };
}
