// The second step of signing in: a two-factor code, and whether this browser is to be trusted (PM-07).
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Captcha, useIsCaptcha } from '../captcha/captcha.tsx';
import { requestCode, waitOf } from '../verify-code/code-request.ts';
import { useResend } from '../verify-code/use-resend.ts';
import type { TwoFactorChallenge } from './two-factor-challenge.ts';
import style from './sign-in-form.module.css';
import type { SignInState } from './use-sign-in.ts';

export interface TwoFactorStepProps {
  readonly state: SignInState;
  readonly question: TwoFactorChallenge;
  readonly onChange: (part: Partial<SignInState>) => void;
  readonly onBack: () => void;
}

export function TwoFactorStep({ state, question, onChange, onBack }: TwoFactorStepProps) {
  const t = useT();
  const { failure } = state;
  const isWrong = isFailure(failure, ERROR_CODES.verifyCodeWrong);
  return (
    <>
      <p className={style.ask}>
        {question.isMessage ? t('factor.askMessage', { target: question.target }) : t('factor.askTotp')}
      </p>
      {question.isMessage && <SendCode account={state.account.trim()} />}
      <TextField
        label={t('factor.code')}
        name="one-time-code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus
        isLarge
        maxLength={11}
        value={state.code}
        onValue={(code) => onChange({ code })}
        error={state.isTried ? t('factor.codeBad') : null}
      />
      <div>
        <CheckBox label={t('factor.trust')} isOn={state.isTrusted} onToggle={(isTrusted) => onChange({ isTrusted })} />
        <p className={style.trustDetail}>{t('factor.trustDetail')}</p>
      </div>
      {failure !== null && <Notice tone="error">{isWrong ? t('factor.wrong') : failureText(t, failure)}</Notice>}
      <Button type="submit" look="primary" size="large" isWide isBusy={state.isBusy}>
        {t('factor.submit')}
      </Button>
      <Button look="quiet" isWide onClick={onBack}>
        {t('factor.back')}
      </Button>
    </>
  );
}

/** The code goes to the bound contact; the account is all that is named. */
function SendCode({ account }: { readonly account: string }) {
  const t = useT();
  const { caller, mode } = useServices();
  const isCaptcha = useIsCaptcha();
  const { left, start } = useResend();
  const [sending, setSending] = useState({ captcha: '', isTried: false, isBusy: false, failure: null as unknown });
  const change = (part: Partial<typeof sending>): void => setSending((before) => ({ ...before, ...part }));
  const send = async (): Promise<void> => {
    change({ isTried: true });
    if (isCaptcha && sending.captcha === '') return;
    change({ isBusy: true, failure: null });
    try {
      start(await requestCode(caller, mode, { target: account, purpose: 'login', captcha: sending.captcha }));
      setSending({ captcha: '', isTried: false, isBusy: false, failure: null });
    } catch (failure) {
      const wait = waitOf(failure);
      if (wait !== null) start(wait);
      setSending({ captcha: '', isTried: false, isBusy: false, failure: wait === null ? failure : null });
    }
  };
  return (
    <>
      {left === 0 && (
        <Captcha
          value={sending.captcha}
          onValue={(captcha) => change({ captcha })}
          isTried={sending.isTried}
          lastCode={null}
        />
      )}
      <Button isWide disabled={left > 0} isBusy={sending.isBusy} onClick={() => void send()}>
        {left > 0 ? t('account.sendAgainIn', { seconds: left }) : t('account.sendCode')}
      </Button>
      {sending.failure !== null && <Notice tone="error">{failureText(t, sending.failure)}</Notice>}
    </>
  );
}
