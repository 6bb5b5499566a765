// The sign-in form: used by /login and, in place, by the pages that open without a session.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { failureCode } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { browserId } from '../../session/browser-id.ts';
import { useClientState } from '../../session/client-state.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField, TextField } from '../../ui/text-field.tsx';
import style from './sign-in-form.module.css';

export interface SignInFormProps {
  readonly onSignedIn: () => void;
}

interface FormState {
  readonly account: string;
  readonly password: string;
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly failure: unknown;
  readonly hasCapsLock: boolean;
}

/** Name, password and what stands in the way. The password lives here alone and goes with the component. */
function useSignIn(onSignedIn: () => void) {
  const { caller, session, mode } = useServices();
  const [form, setForm] = useState<FormState>(() => ({
    account: useClientState.getState().accountLoginName,
    password: '',
    isTried: false,
    isBusy: false,
    failure: null,
    hasCapsLock: false,
  }));
  const change = (part: Partial<FormState>): void => setForm((before) => ({ ...before, ...part }));

  async function submit(): Promise<boolean> {
    const account = form.account.trim();
    if (account === '' || form.password === '') {
      change({ isTried: true });
      return false;
    }
    change({ isBusy: true, failure: null });
    try {
      const signedIn = await caller.ask(
        'account/login',
        { account, password: form.password, browserId: browserId(), clientType: mode },
        { showError: false },
      );
      useClientState.setState({ accountLoginName: account });
      session.signIn(signedIn);
      onSignedIn();
      return true;
    } catch (failure) {
      change({ isBusy: false, failure, password: failureCode(failure) === null ? form.password : '' });
      return false;
    }
  }
  return { form, change, submit };
}

export function SignInForm({ onSignedIn }: SignInFormProps) {
  const t = useT();
  const { form, change, submit } = useSignIn(onSignedIn);
  const passwordInput = useRef<HTMLInputElement>(null);
  const isWrong = failureCode(form.failure) === ERROR_CODES.userPWDIncorrect;

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!(await submit())) passwordInput.current?.focus();
  }
  const onKey = (event: KeyboardEvent): void => {
    const hasCapsLock = event.getModifierState('CapsLock');
    if (hasCapsLock !== form.hasCapsLock) change({ hasCapsLock });
  };
  return (
    <form className={style.form} onSubmit={onSubmit} noValidate>
      <TextField
        label={t('login.account')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={form.account === ''}
        isLarge
        value={form.account}
        onValue={(account) => change({ account })}
        error={form.isTried && form.account.trim() === '' ? t('login.accountRequired') : null}
      />
      <PasswordField
        ref={passwordInput}
        label={t('login.password')}
        name="password"
        autoComplete="current-password"
        autoFocus={form.account !== ''}
        isLarge
        revealLabel={t('common.showPassword')}
        value={form.password}
        onValue={(password) => change({ password })}
        onKeyUp={onKey}
        hint={form.hasCapsLock ? t('login.capsLock') : undefined}
        error={form.isTried && form.password === '' && !isWrong ? t('login.passwordRequired') : null}
      />
      {form.failure !== null && <Notice tone="error">{failureText(t, form.failure)}</Notice>}
      <Button type="submit" look="primary" size="large" isWide isBusy={form.isBusy}>
        {t('login.submit')}
      </Button>
    </form>
  );
}
