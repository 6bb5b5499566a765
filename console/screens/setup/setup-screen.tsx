// /setup: creates the first administrator with the one-time secret of the first start.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { failureCode } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { NewUsernameField } from '../../features/account/new-username-field.tsx';
import {
  isNewPasswordGood,
  type NewPassword,
  NewPasswordFields,
  NO_PASSWORD,
} from '../../features/password/new-password-fields.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { browserId } from '../../session/browser-id.ts';
import { useLinkSecrets } from '../../session/link-secrets.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import style from './setup-screen.module.css';

interface SetupForm extends NewPassword {
  readonly username: string;
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly failure: unknown;
}
const BLANK: SetupForm = {
  ...NO_PASSWORD,
  username: '',
  isTried: false,
  isBusy: false,
  failure: null,
};

function useSetup(secret: string) {
  const { caller, session } = useServices();
  const navigate = useNavigate();
  const [form, setForm] = useState(BLANK);
  const change = (part: Partial<SetupForm>): void => setForm((before) => ({ ...before, ...part }));
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    change({ isTried: true });
    if (usernameProblem(form.username) !== null || !isNewPasswordGood(form)) return;
    change({ isBusy: true, failure: null });
    try {
      const { username, password } = form;
      const input = { secret, username, password, browserId: browserId() };
      session.signIn(await caller.ask('account/setup', input, { showError: false }));
      // The form stays until the first screen is loaded: without its secret it would ask for the link.
      await navigate(PATHS.liveVideo, { replace: true });
      useLinkSecrets.setState({ setup: '' });
    } catch (failure) {
      change({ isBusy: false, failure });
    }
  }
  return { form, change, submit };
}

function SetupFields({ secret }: { readonly secret: string }) {
  const t = useT();
  const { form, change, submit } = useSetup(secret);
  const { isTried, failure } = form;
  const isUsed = failureCode(failure) === ERROR_CODES.notFound;
  return (
    <form className={style.form} onSubmit={submit} noValidate>
      <NewUsernameField
        value={form.username}
        onValue={(username) => change({ username })}
        isTried={isTried}
        autoFocus
      />
      <NewPasswordFields value={form} onValue={change} isTried={isTried} label={t('setup.password')} isLarge />
      {failure !== null && <Notice tone="error">{isUsed ? t('setup.secretUsed') : failureText(t, failure)}</Notice>}
      <Button type="submit" look="primary" size="large" isWide isBusy={form.isBusy}>
        {t('setup.submit')}
      </Button>
      <p className={style.after}>{t('setup.afterwards')}</p>
    </form>
  );
}

export function SetupScreen() {
  const t = useT();
  const navigate = useNavigate();
  const secret = useLinkSecrets((state) => state.setup);
  return (
    <SignInFrame title={t('setup.title')} lead={t(secret === '' ? 'setup.noSecret' : 'setup.lead')}>
      {secret === '' ? (
        <Button size="large" isWide onClick={() => navigate(PATHS.login)}>
          {t('setup.toLogin')}
        </Button>
      ) : (
        <SetupFields secret={secret} />
      )}
    </SignInFrame>
  );
}
