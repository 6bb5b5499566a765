// The second step of registration: the code, a name, a password, and agreeing to the documents; then it signs in.
import account from '../../features/verify-code/account-form.module.css';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { usernameProblem, verificationCodeProblem } from '@vedette/rules/validation/account-fields.ts';
import { type FormEvent, useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { NewUsernameField } from '../../features/account/new-username-field.tsx';
import { useDocuments } from '../../features/account/server-offer.query.ts';
import { isNewPasswordGood, NewPasswordFields } from '../../features/password/new-password-fields.tsx';
import { CodeField } from '../../features/verify-code/code-field.tsx';
import { LANGUAGE_NUMBER } from '../../language/language-store.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { browserId } from '../../session/browser-id.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { AgreeBox } from './agree-box.tsx';
import type { RegisterForm } from './register-form.ts';

export interface RegisterStepProps {
  readonly form: RegisterForm;
  readonly onForm: (part: Partial<RegisterForm>) => void;
  readonly left: number;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

export function RegisterStep({ form: wish, onForm, left, onBack, onDone }: RegisterStepProps) {
  const t = useT();
  const { caller, session, mode } = useServices();
  const { data: documents } = useDocuments();
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  const isGood =
    usernameProblem(wish.username) === null &&
    verificationCodeProblem(wish.verifyCode) === null &&
    isNewPasswordGood(wish) &&
    wish.hasAgreed;
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState({ isTried: true, isBusy: isGood, failure: null });
    if (!isGood) return;
    const { target, verifyCode, username, password } = wish;
    try {
      const language = LANGUAGE_NUMBER[t.language];
      const privacyTime = documents?.privacyUpdateTime ?? 0;
      const input = { target: target.trim(), verifyCode, username, password, language, privacyTime };
      await caller.ask('account/register', input, { showError: false });
      const login = { account: username, password, browserId: browserId(), clientType: mode };
      session.signIn(await caller.ask('account/login', login, { showError: false }));
      onDone();
    } catch (failure) {
      setState({ isTried: true, isBusy: false, failure });
    }
  }
  const isTaken = isFailure(state.failure, ERROR_CODES.alreadyExists);
  const isWrongCode = isFailure(state.failure, ERROR_CODES.verifyCodeWrong);
  return (
    <form className={account.form} onSubmit={submit} noValidate>
      <Notice tone="info">{t('account.codeSent', { target: wish.target.trim() })}</Notice>
      <CodeField
        value={wish.verifyCode}
        onValue={(verifyCode) => onForm({ verifyCode })}
        isTried={state.isTried}
        left={left}
        onResend={onBack}
        isLarge
        failure={isWrongCode ? failureText(t, state.failure) : null}
      />
      <NewUsernameField
        value={wish.username}
        onValue={(username) => onForm({ username })}
        isTried={state.isTried}
        isTaken={isTaken}
      />
      <NewPasswordFields value={wish} onValue={onForm} isTried={state.isTried} label={t('setup.password')} isLarge />
      <AgreeBox isOn={wish.hasAgreed} onToggle={(hasAgreed) => onForm({ hasAgreed })} isTried={state.isTried} />
      {state.failure !== null && !isTaken && !isWrongCode && (
        <Notice tone="error">{failureText(t, state.failure)}</Notice>
      )}
      <Button type="submit" look="primary" size="large" isWide isBusy={state.isBusy}>
        {t('register.submit')}
      </Button>
    </form>
  );
}
