// /login in web mode: one form, one picture, and the ways in for who has no account or no password.
import { Link, Navigate, useLocation } from 'react-router';
import { useServerOffer } from '../../features/account/server-offer.query.ts';
import { ProviderButtons } from '../../features/identity/provider-buttons.tsx';
import { SignInForm } from '../../features/sign-in/sign-in-form.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { afterSignIn } from '../../services/navigation-guard.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import style from './login-screen.module.css';

export function LoginScreen() {
  const t = useT();
  const { search, state } = useLocation();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const hasEnded = useAuth((auth) => auth.hasEnded);
  const target = afterSignIn(search);
  const { data: offer } = useServerOffer();
  // Here, or in another tab, or the session was taken over at start.
  if (isSignedIn) return <Navigate to={target} replace />;
  const hasNewPassword = (state as { hasNewPassword?: unknown } | null)?.hasNewPassword === true;
  return (
    <SignInFrame title={t('login.title')} lead={t('login.lead')}>
      <div className={style.notice}>
        {offer?.needsSetup === true ? (
          <Notice tone="info">{t('login.needsSetup')}</Notice>
        ) : hasNewPassword ? (
          <Notice tone="info">{t('retrieve.done')}</Notice>
        ) : (
          hasEnded && <Notice tone="warning">{t('login.ended')}</Notice>
        )}
      </div>
      <SignInForm ways={<OtherWays />} />
    </SignInFrame>
  );
}

/** Whose accounts the form takes beside ours, and what stands below it. */
function OtherWays() {
  const t = useT();
  const { data: offer } = useServerOffer();
  const directories = (offer?.directoryNameList ?? []).join(', ');
  return (
    <>
      {directories !== '' && <p className={style.directories}>{t('directory.signInLead', { names: directories })}</p>}
      <ProviderButtons />
      <nav className={style.ways} aria-label={t('login.ways')}>
        {offer?.canRegister === true && <Link to={PATHS.register}>{t('register.link')}</Link>}
        {offer !== undefined && offer.codeTargets.length > 0 && (
          <Link to={PATHS.retrievePwd}>{t('retrieve.link')}</Link>
        )}
      </nav>
    </>
  );
}
