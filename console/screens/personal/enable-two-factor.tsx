// Confirms two-factor authentication with its first code.
import type { TwoFactorMethod } from '@vedette/contract/calls/account.ts';
import { verificationCodeProblem } from '@vedette/rules/validation/account-fields.ts';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { CodeField } from '../../features/verify-code/code-field.tsx';
import { requestCode, waitOf } from '../../features/verify-code/code-request.ts';
import { useResend } from '../../features/verify-code/use-resend.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { QrCode } from '../../features/link-address/qr-code.tsx';
import { CopyButton } from '../../ui/buttons/copy-button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './personal-screen.module.css';

export interface EnableTwoFactorProps {
  readonly prepared: {
    readonly method: TwoFactorMethod;
    readonly secret: string;
    readonly otpauthUrl: string;
    readonly target: string;
  };
  readonly account: string;
  readonly onCancel: () => void;
  readonly onEnabled: (recoveryCodes: readonly string[]) => void;
}

export function EnableTwoFactor({ prepared, account, onCancel, onEnabled }: EnableTwoFactorProps) {
  const t = useT();
  const { caller } = useServices();
  const [code, setCode] = useState('');
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const isGood = verificationCodeProblem(code) === null;
    setState({ isTried: true, isBusy: isGood, failure: null });
    if (!isGood) return;
    try {
      onEnabled((await caller.ask('account/twofactor/enable', { code }, { showError: false })).recoveryCodes);
    } catch (failure) {
      setCode('');
      setState({ isTried: false, isBusy: false, failure });
    }
  }
  const said = state.failure === null ? null : failureText(t, state.failure);
  const isBad = state.isTried && verificationCodeProblem(code) !== null;
  return (
    <form className={style.content} onSubmit={submit} noValidate>
      {prepared.method === 'totp' ? (
        <div className={style.scan}>
          <QrCode text={prepared.otpauthUrl} label={t('personal.scanLabel')} />
          <div className={style.form}>
            <p>{t('personal.scan')}</p>
            <div>
              <p className={style.heading}>{t('personal.secretLabel')}</p>
              <div className={style.secret}>
                <code>{prepared.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
                <CopyButton
                  text={prepared.secret}
                  label={t('common.copy')}
                  doneLabel={t('common.copied')}
                  failedLabel={t('common.copyFailed')}
                />
              </div>
            </div>
            <TextField
              label={t('factor.code')}
              name="one-time-code"
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={6}
              autoFocus
              value={code}
              onValue={(text) => setCode(text.replace(/\D/g, ''))}
              error={isBad ? t('account.codeBad') : said}
            />
          </div>
        </div>
      ) : (
        <MessageCode
          target={prepared.target}
          account={account}
          code={code}
          onCode={setCode}
          isTried={state.isTried}
          failure={said}
        />
      )}
      <div className={style.personActions}>
        <Button type="submit" look="primary" isBusy={state.isBusy}>
          {t('personal.enable')}
        </Button>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}

export interface MessageCodeProps {
  readonly target: string;
  readonly account: string;
  readonly code: string;
  readonly onCode: (code: string) => void;
  readonly isTried: boolean;
  readonly failure: string | null;
}

/** A code that the server sends to the bound contact of this account. */
function MessageCode({ target, account, code, onCode, isTried, failure }: MessageCodeProps) {
  const t = useT();
  const { caller, mode } = useServices();
  const { left, start } = useResend();
  const [sending, setSending] = useState({ isBusy: false, wasSent: false, failure: null as unknown });
  const send = async (): Promise<void> => {
    setSending({ isBusy: true, wasSent: sending.wasSent, failure: null });
    try {
      start(await requestCode(caller, mode, { target: account, purpose: 'login' }));
      setSending({ isBusy: false, wasSent: true, failure: null });
    } catch (error) {
      const wait = waitOf(error);
      if (wait !== null) start(wait);
      setSending({ isBusy: false, wasSent: wait !== null, failure: wait === null ? error : null });
    }
  };
  return (
    <div className={style.form}>
      <p>{t('personal.messageStep', { target })}</p>
      <CodeField
        value={code}
        onValue={onCode}
        isTried={isTried}
        left={left}
        isFirst={!sending.wasSent}
        isBusy={sending.isBusy}
        onResend={() => void send()}
        failure={sending.failure === null ? failure : failureText(t, sending.failure)}
      />
    </div>
  );
}
