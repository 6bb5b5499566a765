// /invitation: makes the account that somebody invited one to; the link works once.
import account from '../../features/verify-code/account-form.module.css';
import { useQuery } from '@tanstack/react-query';
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { usernameProblem } from '@vedette/rules/validation/account-fields.ts';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { NewUsernameField } from '../../features/account/new-username-field.tsx';
import { isNewPasswordGood, NewPasswordFields, NO_PASSWORD } from '../../features/password/new-password-fields.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useCaller, useServices } from '../../services/services.ts';
import { browserId } from '../../session/browser-id.ts';
import { useLinkSecrets } from '../../session/link-secrets.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';
import style from './invitation-screen.module.css';

function useInvitation(token: string) {
  const caller = useCaller();
  return useQuery({
    queryKey: ['user/invitation/open', token],
    queryFn: ({ signal }) => caller.ask('user/invitation/open', { token }, { signal, showError: false }),
    enabled: token !== '',
    retry: false,
  });
}

function AcceptForm({ token }: { readonly token: string }) {
  const t = useT();
  const { caller, session } = useServices();
  const navigate = useNavigate();
  const [username, setUsername] = useState('');
  const [wish, setWish] = useState(NO_PASSWORD);
  const [state, setState] = useState({ isTried: false, isBusy: false, failure: null as unknown });
  const isGood = usernameProblem(username) === null && isNewPasswordGood(wish);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setState({ isTried: true, isBusy: isGood, failure: null });
    if (!isGood) return;
    try {
      const input = { token, username, password: wish.password, browserId: browserId() };
      session.signIn(await caller.ask('user/invitation/accept', input, { showError: false }));
      useLinkSecrets.setState({ invitation: '' });
      void navigate(PATHS.liveVideo, { replace: true });
    } catch (failure) {
      setState({ isTried: true, isBusy: false, failure });
    }
  }
  const isTaken = isFailure(state.failure, ERROR_CODES.alreadyExists);
  const isGone = isFailure(state.failure, ERROR_CODES.notFound);
  return (
    <form className={account.form} onSubmit={submit} noValidate>
      <NewUsernameField value={username} onValue={setUsername} isTried={state.isTried} isTaken={isTaken} autoFocus />
      <NewPasswordFields
        value={wish}
        onValue={(part) => setWish((before) => ({ ...before, ...part }))}
        isTried={state.isTried}
        label={t('setup.password')}
        isLarge
      />
      {state.failure !== null && !isTaken && (
        <Notice tone="error">{isGone ? t('invitation.gone') : failureText(t, state.failure)}</Notice>
      )}
      <Button type="submit" look="primary" size="large" isWide isBusy={state.isBusy}>
        {t('invitation.submit')}
      </Button>
    </form>
  );
}

function Kind({ invitation }: { readonly invitation: CallOutput<'user/invitation/open'> }) {
  const t = useT();
  const format = useTimeFormat();
  const { userType, inviterName: inviter, expiresAt } = invitation;
  return (
    <p className={style.kind}>
      {userType === USER_TYPE.sub ? t('invitation.asSub', { inviter }) : t('invitation.asOwn')}{' '}
      {t('invitation.until', { time: formatDateTime(expiresAt, format, false) })}
    </p>
  );
}

export function InvitationScreen() {
  const t = useT();
  const token = useLinkSecrets((secrets) => secrets.invitation);
  const { data, error, isFetching } = useInvitation(token);
  const isGone = token === '' || isFailure(error, ERROR_CODES.notFound);
  const lead = data === undefined ? '' : t('invitation.lead', { inviter: data.inviterName });
  return (
    <SignInFrame title={t('invitation.title')} lead={lead}>
      {isFetching && data === undefined && <SkeletonLines label={t('common.loading')} rows={4} rowHeight={40} />}
      {isGone && <Notice tone="warning">{t('invitation.gone')}</Notice>}
      {error !== null && !isGone && <Notice tone="error">{failureText(t, error)}</Notice>}
      {data !== undefined && (
        <>
          <Kind invitation={data} />
          <AcceptForm token={token} />
        </>
      )}
      <Link className={account.back ?? ''} to={PATHS.login}>
        {t('account.toLogin')}
      </Link>
    </SignInFrame>
  );
}
