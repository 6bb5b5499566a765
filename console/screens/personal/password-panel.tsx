// Changes the own password; every other session ends with the old one.
import { type FormEvent, useState } from 'react';
import { useHasPassword } from '../../features/identity/identity-link.query.ts';
import { isNewPasswordGood, NewPasswordFields, NO_PASSWORD } from '../../features/password/new-password-fields.tsx';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { PasswordField } from '../../ui/fields/text-field.tsx';
import { passwordFailure } from './bind-dialog.tsx';
import { PanelFrame } from './panel.tsx';
import style from './personal-screen.module.css';

interface ChangeState {
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly isDone: boolean;
  readonly failure: unknown;
}
const BLANK: ChangeState = { isTried: false, isBusy: false, isDone: false, failure: null };

export function PasswordPanel() {
  const t = useT();
  const hasPassword = useHasPassword();
  return (
    <PanelFrame title={t('personal.password')} lead={hasPassword ? t('personal.passwordLead') : ''}>
      {hasPassword ? <PasswordForm /> : <p className={style.none}>{t('identity.noPassword')}</p>}
    </PanelFrame>
  );
}

function PasswordForm() {
  const t = useT();
  const caller = useCaller();
  const [oldPassword, setOldPassword] = useState('');
  const [wish, setWish] = useState(NO_PASSWORD);
  const [state, setState] = useState(BLANK);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    const isGood = oldPassword !== '' && isNewPasswordGood(wish);
    setState({ ...BLANK, isTried: true, isBusy: isGood });
    if (!isGood) return;
    try {
      const input = { oldPassword, password: wish.password };
      await caller.ask('account/password/change', input, { showError: false });
      setOldPassword('');
      setWish(NO_PASSWORD);
      setState({ ...BLANK, isDone: true });
    } catch (failure) {
      setState({ ...BLANK, failure });
    }
  }
  return (
    <form className={style.form} onSubmit={submit} noValidate>
      <PasswordField
        label={t('personal.oldPassword')}
        name="password"
        autoComplete="current-password"
        revealLabel={t('common.showPassword')}
        value={oldPassword}
        onValue={setOldPassword}
        error={state.isTried && oldPassword === '' ? t('login.passwordRequired') : null}
      />
      <NewPasswordFields
        value={wish}
        onValue={(part) => setWish((before) => ({ ...before, ...part }))}
        isTried={state.isTried}
        label={t('personal.newPassword')}
      />
      {state.failure !== null && <Notice tone="error">{passwordFailure(t, state.failure)}</Notice>}
      {state.isDone && <Notice tone="info">{t('personal.passwordDone')}</Notice>}
      <Button type="submit" look="primary" isBusy={state.isBusy}>
        {t('personal.changePassword')}
      </Button>
    </form>
  );
}
