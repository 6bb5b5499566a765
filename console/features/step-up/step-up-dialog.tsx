// Asks for the password again, and a code where a second factor is on, before a call that the session alone may not make.
import { TWO_FACTOR_CODE } from '@vedette/contract/calls/account.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import { requestCode, waitOf } from '../verify-code/code-request.ts';
import { useResend } from '../verify-code/use-resend.ts';
import style from './step-up-dialog.module.css';
import { ProviderQuestion } from './provider-question.tsx';
import { settleStepUp, type StepUpQuestion, useStepUp } from './step-up-store.ts';

export function StepUpDialog() {
  const question = useStepUp((state) => state.question);
  // Whoever waits learns it where the page goes.
  useEffect(() => () => settleStepUp(false), []);
  if (question === null) return null;
  const { providerName } = question;
  return providerName === '' ? <Question question={question} /> : <ProviderQuestion providerName={providerName} />;
}

const BLANK = { password: '', code: '', isTried: false, isBusy: false, failure: null as unknown };

function Question({ question }: { readonly question: StepUpQuestion }) {
  const t = useT();
  const { caller } = useServices();
  const formId = useId();
  const [state, setState] = useState(BLANK);
  const change = (part: Partial<typeof BLANK>): void => setState((before) => ({ ...before, ...part }));
  const needsCode = question.methods.length > 0;
  const { password, failure } = state;
  const code = state.code.trim();
  const isCodeBad = needsCode && !TWO_FACTOR_CODE.test(code);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const isGood = password !== '' && !isCodeBad;
    change({ isTried: true, isBusy: isGood, failure: null });
    if (!isGood) return;
    try {
      await caller.ask('account/stepUp', { password, ...(needsCode && { code }) }, { showError: false });
      settleStepUp(true);
    } catch (error) {
      const isCodeWrong = isFailure(error, ERROR_CODES.verifyCodeWrong);
      change({ isBusy: false, isTried: false, failure: error, ...(isCodeWrong ? { code: '' } : { password: '' }) });
    }
  };
  const isWrong = isFailure(failure, ERROR_CODES.userPWDIncorrect);
  return (
    <Dialog
      isOpen
      onClose={() => settleStepUp(false)}
      title={t('stepUp.title')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={() => settleStepUp(false)}>{t('common.cancel')}</Button>
          <Button look="primary" type="submit" form={formId} isBusy={state.isBusy}>
            {t('stepUp.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={style.fields} onSubmit={(event) => void submit(event)} noValidate>
        <p>{t('stepUp.lead')}</p>
        <PasswordField
          label={t('personal.yourPassword')}
          name="password"
          autoComplete="current-password"
          data-autofocus
          revealLabel={t('common.showPassword')}
          value={password}
          onValue={(text) => change({ password: text })}
          error={state.isTried && password === '' ? t('login.passwordRequired') : null}
        />
        {needsCode && (
          <>
            <p>{question.target === '' ? t('factor.askTotp') : t('factor.askMessage', { target: question.target })}</p>
            {question.methods.includes('message') && <SendCode />}
            <TextField
              label={t('factor.code')}
              name="one-time-code"
              autoComplete="one-time-code"
              maxLength={19}
              value={state.code}
              onValue={(text) => change({ code: text })}
              error={state.isTried && isCodeBad ? t('factor.codeBad') : null}
            />
          </>
        )}
        {failure !== null && (
          <Notice tone="error">{isWrong ? t('personal.passwordWrong') : failureText(t, failure)}</Notice>
        )}
      </form>
    </Dialog>
  );
}

/** To the contact of this account, whose session is there. */
function SendCode() {
  const t = useT();
  const { caller, mode } = useServices();
  const target = useAuth((auth) => auth.userName);
  const { left, start } = useResend();
  const [failure, setFailure] = useState<unknown>(null);
  const send = async (): Promise<void> => {
    setFailure(null);
    try {
      start(await requestCode(caller, mode, { target, purpose: 'login' }));
    } catch (error) {
      const wait = waitOf(error);
      if (wait === null) setFailure(error);
      else start(wait);
    }
  };
  return (
    <>
      <Button disabled={left > 0} onClick={() => void send()}>
        {left > 0 ? t('account.sendAgainIn', { seconds: left }) : t('account.sendCode')}
      </Button>
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
    </>
  );
}
