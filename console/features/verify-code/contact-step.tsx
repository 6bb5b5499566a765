// The first step of registration and retrieval: where the code goes, the check, and sending it.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { phoneOrEmailProblem } from '@vedette/rules/validation/account-fields.ts';
import { type FormEvent, useState } from 'react';
import { failureCode, isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { useClientState } from '../../session/client-state.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import account from './account-form.module.css';
import { Captcha, useIsCaptcha } from '../captcha/captcha.tsx';
import { requestCode, waitOf } from './code-request.ts';

export interface ContactStepProps {
  readonly purpose: 'register' | 'retrieve';
  readonly target: string;
  readonly onTarget: (target: string) => void;
  /** Seconds until a code can be sent. */
  readonly left: number;
  /** No code can be sent for so many seconds. */
  readonly onWait: (seconds: number) => void;
  /** The code is on its way; another can be sent after so many seconds. */
  readonly onSent: (resendAfter: number) => void;
}

interface StepState {
  readonly captcha: string;
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly failure: unknown;
}
const BLANK: StepState = { captcha: '', isTried: false, isBusy: false, failure: null };

export function ContactStep({ purpose, target, onTarget, left, onWait, onSent }: ContactStepProps) {
  const t = useT();
  const { caller, mode } = useServices();
  const isCaptcha = useIsCaptcha();
  const phoneCode = useClientState((state) => state.phoneCode);
  const [state, setState] = useState(BLANK);
  const change = (part: Partial<StepState>): void => setState((before) => ({ ...before, ...part }));
  const problem = phoneOrEmailProblem(target.trim());
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    change({ isTried: true });
    if (problem !== null || left > 0 || (isCaptcha && state.captcha === '')) return;
    change({ isBusy: true, failure: null });
    try {
      onSent(await requestCode(caller, mode, { target: target.trim(), purpose, captcha: state.captcha }));
    } catch (failure) {
      const wait = waitOf(failure);
      if (wait !== null) onWait(wait);
      // The check is used up whatever came of it.
      change({ isBusy: false, failure, captcha: '', isTried: false });
    }
  }
  const { failure } = state;
  const isCheckFailure = isFailure(failure, ERROR_CODES.captchaFailed);
  return (
    <form className={account.form} onSubmit={submit} noValidate>
      <TextField
        label={t('account.contact')}
        name="contact"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        isLarge
        maxLength={64}
        value={target}
        onValue={onTarget}
        hint={phoneCode === '' ? undefined : t('account.phoneCode', { code: phoneCode })}
        error={
          !state.isTried || problem === null
            ? null
            : t(problem === 'required' ? 'account.contactRequired' : 'account.contactBad')
        }
      />
      <Captcha
        value={state.captcha}
        onValue={(captcha) => change({ captcha })}
        isTried={state.isTried}
        lastCode={failureCode(failure)}
      />
      {failure !== null && !isCheckFailure && (
        <Notice tone="error">
          {isFailure(failure, ERROR_CODES.functionNotSupported) ? t('account.notOffered') : failureText(t, failure)}
        </Notice>
      )}
      <Button type="submit" look="primary" size="large" isWide isBusy={state.isBusy} disabled={left > 0}>
        {left > 0 ? t('account.sendAgainIn', { seconds: left }) : t('account.sendCode')}
      </Button>
    </form>
  );
}
