// /oauth2/authorize: where apps bring accounts; signs in, begins or goes on with the app's request, or says why not (RT-07, RT-11, RT-12, OA-04).
import { useQuery } from '@tanstack/react-query';
import type { AppStatus } from '@vedette/contract/calls/app.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { useEffect } from 'react';
import { Link, Navigate, useLocation } from 'react-router';
import { SignInForm } from '../../features/sign-in/sign-in-form.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import account from '../../features/verify-code/account-form.module.css';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { useClientState } from '../../session/client-state.ts';
import { authorizeAddress, takeSaasValues } from '../../session/saas-values.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import style from './trust-login-screen.module.css';

/** Also kept as the app's status of the client state (UI-02). */
function useAppStatus(appId: string) {
  const caller = useCaller();
  const { data } = useQuery({
    queryKey: ['app/status', appId],
    queryFn: ({ signal }) => caller.ask('app/status', { appId }, { signal }),
    enabled: appId !== '',
  });
  useEffect(() => useClientState.setState({ appIdStatus: data?.appIdStatus ?? '' }), [data]);
  return data;
}

/** An app that no operator approved may still be its own account's: the server says so to who is signed in. */
const STOPPED: Readonly<Partial<Record<AppStatus, PlainKey>>> = {
  unknown: 'trust.unknownApp',
  disabled: 'apps.disabled',
};

/** Whether the request of the address is one to begin here: neither begun already nor refused. */
function isNewRequest(query: URLSearchParams): boolean {
  return query.has('client_id') && !['interaction', 'error', 'launch'].some((name) => query.has(name));
}

/** Why it goes no further; undefined while it may. */
function problemOf(
  query: URLSearchParams,
  appIdStatus: AppStatus | undefined,
  namesNone: boolean,
): PlainKey | undefined {
  const stopped = appIdStatus === undefined ? undefined : STOPPED[appIdStatus];
  if (stopped !== undefined) return stopped;
  if (query.has('error')) return 'apps.badRequest';
  if (query.has('launch')) return 'trust.launchRefused';
  return namesNone ? 'trust.noApp' : undefined;
}

export function TrustLoginScreen() {
  const { search } = useLocation();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const appId = useClientState((state) => state.saas.appId);
  const app = useAppStatus(appId);
  useEffect(() => takeSaasValues(search), [search]);
  const query = new URLSearchParams(search);
  const problem = problemOf(query, app?.appIdStatus, isSignedIn && appId === '');
  const mayBegin = isSignedIn && app !== undefined && problem === undefined && isNewRequest(query);
  useEffect(() => {
    if (mayBegin) window.location.replace(authorizeAddress(search));
  }, [mayBegin, search]);
  if (isSignedIn && query.has('interaction')) return <Navigate to={`${PATHS.confirmInfo}${search}`} replace />;
  return <TrustLogin isSignedIn={isSignedIn} appName={app?.appName ?? ''} problem={problem} />;
}

interface TrustLoginProps {
  readonly isSignedIn: boolean;
  readonly appName: string;
  /** Why it goes no further. */
  readonly problem: PlainKey | undefined;
}

function TrustLogin({ isSignedIn, appName, problem }: TrustLoginProps) {
  const t = useT();
  const canSignIn = (problem === undefined || problem === 'trust.launchRefused') && !isSignedIn;
  return (
    <SignInFrame
      title={t('trust.title')}
      lead={appName === '' ? t('trust.lead') : t('trust.leadApp', { app: appName })}
    >
      <div className={style.notice}>
        {problem !== undefined && <Notice tone="warning">{t(problem)}</Notice>}
        {canSignIn && problem === undefined && <Notice tone="info">{t('trust.nothingTold')}</Notice>}
      </div>
      {canSignIn && <SignInForm />}
      <Link className={account.back ?? ''} to={isSignedIn ? PATHS.liveVideo : PATHS.login}>
        {t(isSignedIn ? 'trust.toConsole' : 'account.toLogin')}
      </Link>
    </SignInFrame>
  );
}
