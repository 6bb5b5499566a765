// Switches the second factor off, with a code of it or a recovery code.
import { type FormEvent, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { requestCode, waitOf } from '../../features/verify-code/code-request.ts';
import { useResend } from '../../features/verify-code/use-resend.ts';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast-store.ts';
import type { PanelProps } from './panel.tsx';
import style from './personal-screen.module.css';

export interface DisableFactorProps extends PanelProps {
  readonly onCancel: () => void;
  readonly onDone: () => void;
}

const FORM = /^(?:\d{6}|[0-9A-Za-z]{5}-?[0-9A-Za-z]{5})$/;

export function DisableFactor({ profile, onCancel, onDone }: DisableFactorProps) {
  const t = useT();
  const { caller, mode } = useServices();
  const { left, start } = useResend();
  const [code, setCode] = useState('');
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const isGood = FORM.test(code.trim());
    setState({ isTried: true, isBusy: isGood, failure: null });
    if (!isGood) return;
    try {
      await caller.ask('account/twofactor/disable', { code: code.trim() }, { showError: false });
      onDone();
    } catch (failure) {
      setCode('');
      setState({ isTried: false, isBusy: false, failure });
    }
  }
  const send = async (): Promise<void> => {
    try {
      start(await requestCode(caller, mode, { target: profile.userName, purpose: 'login' }));
    } catch (failure) {
      const wait = waitOf(failure);
      if (wait === null) showToast('error', failureText(t, failure));
      else start(wait);
    }
  };
  const said = state.failure === null ? null : failureText(t, state.failure);
  return (
    <form className={style.form} onSubmit={submit} noValidate>
      <p>{t('personal.disableLead')}</p>
      {profile.secondFactor === 'message' && (
        <Button disabled={left > 0} onClick={() => void send()}>
          {left > 0 ? t('account.sendAgainIn', { seconds: left }) : t('account.sendCode')}
        </Button>
      )}
      <TextField
        label={t('factor.code')}
        name="one-time-code"
        autoComplete="one-time-code"
        autoFocus
        maxLength={11}
        value={code}
        onValue={setCode}
        error={state.isTried && !FORM.test(code.trim()) ? t('factor.codeBad') : said}
      />
      <div className={style.personActions}>
        <Button type="submit" look="danger" isBusy={state.isBusy}>
          {t('personal.disable')}
        </Button>
        <Button onClick={onCancel}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
