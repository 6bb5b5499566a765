// Binds a contact: a code to it shows that it is one's own, the password that the account is.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import {
  emailProblem,
  phoneOrEmailProblem,
  verificationCodeProblem,
} from '@vedette/rules/validation/account-fields.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useTakeProfile } from '../../features/account/account.query.ts';
import { requestCode, waitOf } from '../../features/verify-code/code-request.ts';
import { CodeField } from '../../features/verify-code/code-field.tsx';
import { useResend } from '../../features/verify-code/use-resend.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PasswordField, TextField } from '../../ui/fields/text-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import style from './dialogs.module.css';

interface BindState {
  readonly target: string;
  readonly code: string;
  readonly password: string;
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly isSending: boolean;
  readonly wasSent: boolean;
  readonly failure: unknown;
}
const BLANK: BindState = {
  target: '',
  code: '',
  password: '',
  isTried: false,
  isBusy: false,
  isSending: false,
  wasSent: false,
  failure: null,
};

function useBinding(kind: 'email' | 'phone', onClose: () => void) {
  const t = useT();
  const { caller, mode } = useServices();
  const take = useTakeProfile();
  const { left, start } = useResend();
  const [state, setState] = useState(BLANK);
  const change = (part: Partial<BindState>): void => setState((before) => ({ ...before, ...part }));
  const target = state.target.trim();
  const isTargetBad =
    kind === 'email' ? emailProblem(target) !== null : phoneOrEmailProblem(target) !== null || target.includes('@');
  const send = async (): Promise<void> => {
    if (isTargetBad) return change({ isTried: true });
    change({ isSending: true, failure: null });
    try {
      start(await requestCode(caller, mode, { target, purpose: 'bind' }));
      change({ isSending: false, wasSent: true, isTried: false });
    } catch (failure) {
      const wait = waitOf(failure);
      if (wait !== null) start(wait);
      change({ isSending: false, failure: wait === null ? failure : null, wasSent: wait !== null });
    }
  };
  const submit = async (): Promise<void> => {
    change({ isTried: true, failure: null });
    if (isTargetBad || verificationCodeProblem(state.code) !== null || state.password === '') return;
    change({ isBusy: true });
    try {
      const input = { target, verifyCode: state.code, password: state.password };
      take(await caller.ask('account/contact/bind', input, { showError: false }));
      showToast('success', t('personal.saved'));
      onClose();
    } catch (failure) {
      change({ isBusy: false, failure });
    }
  };
  return { state, change, isTargetBad, left, send, submit };
}

const WORDS = {
  email: { title: 'personal.bindEmailTitle', label: 'account.contactEmail', inputMode: 'email' },
  phone: { title: 'personal.bindPhoneTitle', label: 'account.contactPhone', inputMode: 'tel' },
} as const;

export function BindDialog({ kind, onClose }: { readonly kind: 'email' | 'phone'; readonly onClose: () => void }) {
  const t = useT();
  const words = WORDS[kind];
  const { state, change, isTargetBad, left, send, submit } = useBinding(kind, onClose);
  const { failure } = state;
  const isWrongCode = isFailure(failure, ERROR_CODES.verifyCodeWrong);
  const isTaken = isFailure(failure, ERROR_CODES.alreadyExists);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t(words.title)}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button look="primary" isBusy={state.isBusy} onClick={() => void submit()}>
            {t('personal.bind')}
          </Button>
        </>
      }
    >
      <div className={style.fields}>
        <TextField
          label={t(words.label)}
          inputMode={words.inputMode}
          autoCapitalize="none"
          maxLength={64}
          value={state.target}
          onValue={(next) => change({ target: next })}
          error={state.isTried && isTargetBad ? t('account.contactBad') : null}
        />
        <CodeField
          value={state.code}
          onValue={(code) => change({ code })}
          isTried={state.isTried && state.wasSent}
          left={left}
          isFirst={!state.wasSent}
          isBusy={state.isSending}
          onResend={() => void send()}
          failure={isWrongCode ? failureText(t, failure) : null}
        />
        <PasswordField
          label={t('personal.yourPassword')}
          autoComplete="current-password"
          revealLabel={t('common.showPassword')}
          value={state.password}
          onValue={(password) => change({ password })}
          error={state.isTried && state.wasSent && state.password === '' ? t('login.passwordRequired') : null}
        />
        {failure !== null && !isWrongCode && (
          <Notice tone="error">{isTaken ? t('personal.contactTaken') : passwordFailure(t, failure)}</Notice>
        )}
      </div>
    </Dialog>
  );
}

/** Here the name is not in question. */
export function passwordFailure(t: ReturnType<typeof useT>, failure: unknown): string {
  return isFailure(failure, ERROR_CODES.userPWDIncorrect) ? t('personal.passwordWrong') : failureText(t, failure);
}
