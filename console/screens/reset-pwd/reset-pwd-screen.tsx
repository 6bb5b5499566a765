// /resetPwd: sets the password of the account whose reset somebody began; the link works once.
import account from '../../features/verify-code/account-form.module.css';
import { useQuery } from '@tanstack/react-query';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { isNewPasswordGood, NewPasswordFields, NO_PASSWORD } from '../../features/password/new-password-fields.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { useLinkSecrets } from '../../session/link-secrets.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';

function useReset(token: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['account/password/reset/open', token],
    queryFn: ({ signal }) => caller.ask('account/password/reset/open', { token }, { signal, showError: false }),
    enabled: token !== '',
    retry: false,
  });
}

function PasswordForm({ token }: { readonly token: string }) {
  const t = useT();
  const caller = useCaller();
  const navigate = useNavigate();
  const [wish, setWish] = useState(NO_PASSWORD);
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  const isGood = isNewPasswordGood(wish);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState({ isTried: true, isBusy: isGood, failure: null });
    if (!isGood) return;
    try {
      await caller.ask('account/password/reset/use', { token, password: wish.password }, { showError: false });
      useLinkSecrets.setState({ reset: '' });
      void navigate(PATHS.login, { replace: true, state: { hasNewPassword: true } });
    } catch (failure) {
      setState({ isTried: true, isBusy: false, failure });
    }
  }
  const isGone = isFailure(state.failure, ERROR_CODES.notFound);
  return (
    <form className={account.form} onSubmit={submit} noValidate>
      <NewPasswordFields
        value={wish}
        onValue={(part) => setWish((before) => ({ ...before, ...part }))}
        isTried={state.isTried}
        label={t('personal.newPassword')}
        isLarge
      />
      {state.failure !== null && (
        <Notice tone="error">{isGone ? t('reset.gone') : failureText(t, state.failure)}</Notice>
      )}
      <Button type="submit" look="primary" size="large" isWide isBusy={state.isBusy}>
        {t('retrieve.submit')}
      </Button>
    </form>
  );
}

export function ResetPwdScreen() {
  const t = useT();
  const format = useTimeFormat();
  const token = useLinkSecrets((secrets) => secrets.reset);
  const { data, error, isFetching } = useReset(token);
  const isGone = token === '' || isFailure(error, ERROR_CODES.notFound);
  const lead = data === undefined ? '' : t('reset.lead', { userName: data.userName });
  return (
    <SignInFrame title={t('reset.title')} lead={lead}>
      {isFetching && data === undefined && <SkeletonLines label={t('common.loading')} rows={3} rowHeight={40} />}
      {isGone && <Notice tone="warning">{t('reset.gone')}</Notice>}
      {error !== null && !isGone && <Notice tone="error">{failureText(t, error)}</Notice>}
      {data !== undefined && (
        <>
          <p>{t('reset.until', { time: formatDateTime(data.expiresAt, format, false) })}</p>
          <PasswordForm token={token} />
        </>
      )}
      <Link className={account.back ?? ''} to={PATHS.login}>
        {t('account.toLogin')}
      </Link>
    </SignInFrame>
  );
}
