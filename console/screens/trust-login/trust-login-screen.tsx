// /oauth2/authorize: where applications bring accounts; says which one that was, and stops where this server does not know it (OA-04).
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import account from '../../features/verify-code/account-form.module.css';
import { SignInForm } from '../../features/sign-in/sign-in-form.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useAuth } from '../../session/auth-store.ts';
import { useClientState } from '../../session/client-state.ts';
import { takeSaasValues } from '../../session/saas-values.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import style from './trust-login-screen.module.css';

export function TrustLoginScreen() {
  const t = useT();
  const { search } = useLocation();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const appId = useClientState((state) => state.saas.appId);
  useEffect(() => takeSaasValues(search), [search]);
  return (
    <SignInFrame title={t('trust.title')} lead={appId === '' ? t('trust.lead') : t('trust.leadApp', { app: appId })}>
      <div className={style.notice}>
        {isSignedIn ? (
          <Notice tone="warning">{t(appId === '' ? 'trust.noApp' : 'trust.unknownApp')}</Notice>
        ) : (
          <Notice tone="info">{t('trust.nothingTold')}</Notice>
        )}
      </div>
      {!isSignedIn && <SignInForm />}
      <Link className={account.back ?? ''} to={isSignedIn ? PATHS.liveVideo : PATHS.login}>
        {t(isSignedIn ? 'trust.toConsole' : 'account.toLogin')}
      </Link>
    </SignInFrame>
  );
}
