// The sign-in form: used by /login and, in place, by the pages that open without a session.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { failureCode } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import { Captcha } from '../captcha/captcha.tsx';
import { TwoFactorStep } from './two-factor-step.tsx';
import style from './sign-in-form.module.css';
import { type SignInOptions, type SignInState, useSignIn } from './use-sign-in.ts';

export interface SignInFormProps extends SignInOptions {
  /** Other ways in, below the form; not while the second factor is asked for. */
  readonly ways?: ReactNode;
}

export function SignInForm({ onSignedIn, createKey, ways }: SignInFormProps) {
  const t = useT();
  const { state, change, submit, startOver } = useSignIn({ onSignedIn, createKey });
  const passwordInput = useRef<HTMLInputElement>(null);
  const code = failureCode(state.failure);
  const isAboutCheck = code === ERROR_CODES.captchaRequired || code === ERROR_CODES.captchaFailed;

  async function onSubmit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!(await submit())) passwordInput.current?.focus();
  }
  return (
    <>
      <form className={style.form} onSubmit={onSubmit} noValidate>
        {state.factor !== null ? (
          <TwoFactorStep state={state} question={state.factor} onChange={change} onBack={startOver} />
        ) : (
          <>
            <NameAndPassword state={state} onChange={change} passwordInput={passwordInput} />
            {state.isChecked && (
              <Captcha
                value={state.captcha}
                onValue={(captcha) => change({ captcha })}
                isTried={state.isTried || code === ERROR_CODES.captchaRequired}
                lastCode={code}
              />
            )}
            {state.failure !== null && !isAboutCheck && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
            <Button type="submit" look="primary" size="large" isWide isBusy={state.isBusy}>
              {t('login.submit')}
            </Button>
          </>
        )}
      </form>
      {state.factor === null && ways}
    </>
  );
}

interface NameAndPasswordProps {
  readonly state: SignInState;
  readonly onChange: (part: Partial<SignInState>) => void;
  readonly passwordInput: RefObject<HTMLInputElement | null>;
}

function NameAndPassword({ state, onChange, passwordInput }: NameAndPasswordProps) {
  const t = useT();
  const [hasCapsLock, setCapsLock] = useState(false);
  const isWrong = failureCode(state.failure) === ERROR_CODES.userPWDIncorrect;
  const onKey = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <>
      <TextField
        label={t('login.account')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={state.account === ''}
        isLarge
        value={state.account}
        onValue={(account) => onChange({ account })}
        error={state.isTried && state.account.trim() === '' ? t('login.accountRequired') : null}
      />
      <PasswordField
        ref={passwordInput}
        label={t('login.password')}
        name="password"
        autoComplete="current-password"
        autoFocus={state.account !== ''}
        isLarge
        revealLabel={t('common.showPassword')}
        value={state.password}
        onValue={(password) => onChange({ password })}
        onKeyUp={onKey}
        hint={hasCapsLock ? t('login.capsLock') : undefined}
        error={state.isTried && state.password === '' && !isWrong ? t('login.passwordRequired') : null}
      />
    </>
  );
}
