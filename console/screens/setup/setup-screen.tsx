// /setup: creates the first administrator with the one-time secret of the first start.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { confirmationProblem, passwordProblem, usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { failureCode } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { browserId } from '../../session/browser-id.ts';
import { useLinkSecrets } from '../../session/link-secrets.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PasswordField, TextField } from '../../ui/text-field.tsx';
import { PasswordStrength } from '../../features/password/password-strength.tsx';
import style from './setup-screen.module.css';

interface SetupForm {
  readonly username: string;
  readonly password: string;
  readonly confirmation: string;
  readonly isTried: boolean;
  readonly isBusy: boolean;
  readonly failure: unknown;
}
const BLANK: SetupForm = {
  username: '',
  password: '',
  confirmation: '',
  isTried: false,
  isBusy: false,
  failure: null,
};

function useSetup(secret: string) {
  const { caller, session } = useServices();
  const navigate = useNavigate();
  const [form, setForm] = useState(BLANK);
  const change = (part: Partial<SetupForm>): void => setForm((before) => ({ ...before, ...part }));
  const problems = {
    username: usernameProblem(form.username),
    password: passwordProblem(form.password),
    confirmation: confirmationProblem(form.password, form.confirmation),
  };
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    change({ isTried: true });
    if (problems.username !== null || problems.password !== null || problems.confirmation !== null) return;
    change({ isBusy: true, failure: null });
    try {
      const { username, password } = form;
      const input = { secret, username, password, browserId: browserId() };
      session.signIn(await caller.ask('account/setup', input, { showError: false }));
      useLinkSecrets.setState({ setup: '' });
      void navigate(PATHS.liveVideo, { replace: true });
    } catch (failure) {
      change({ isBusy: false, failure });
    }
  }
  return { form, change, problems, submit };
}

function SetupFields({ secret }: { readonly secret: string }) {
  const t = useT();
  const { form, change, problems, submit } = useSetup(secret);
  const { isTried, failure } = form;
  const isUsed = failureCode(failure) === ERROR_CODES.notFound;
  return (
    <form className={style.form} onSubmit={submit} noValidate>
      <TextField
        label={t('setup.username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        isLarge
        value={form.username}
        onValue={(username) => change({ username })}
        error={
          !isTried || problems.username === null
            ? null
            : problems.username === 'required'
              ? t('login.accountRequired')
              : t('valid.username')
        }
      />
      <div>
        <PasswordField
          label={t('setup.password')}
          name="new-password"
          autoComplete="new-password"
          isLarge
          revealLabel={t('common.showPassword')}
          value={form.password}
          onValue={(password) => change({ password })}
          error={
            !isTried || problems.password === null
              ? null
              : t(problems.password === 'required' ? 'login.passwordRequired' : 'valid.passwordRange')
          }
        />
        <PasswordStrength password={form.password} />
      </div>
      <PasswordField
        label={t('setup.confirm')}
        name="confirm-password"
        autoComplete="new-password"
        isLarge
        revealLabel={t('common.showPassword')}
        value={form.confirmation}
        onValue={(confirmation) => change({ confirmation })}
        error={isTried && problems.confirmation !== null ? t('valid.passwordsDiffer') : null}
      />
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
