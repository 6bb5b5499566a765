// /login in web mode: one form, one picture, nothing else.
import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { SignInForm } from '../../features/sign-in/sign-in-form.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { afterSignIn } from '../../navigation/guard.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Notice } from '../../ui/notice.tsx';
import style from './login-screen.module.css';

export function LoginScreen() {
  const t = useT();
  const caller = useCaller();
  const navigate = useNavigate();
  const { search } = useLocation();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const hasEnded = useAuth((auth) => auth.hasEnded);
  const target = afterSignIn(search);
  const { data: version } = useQuery({
    queryKey: ['server/version'],
    queryFn: ({ signal }) => caller.ask('server/version', {}, { signal, showError: false }),
    retry: false,
  });
  // Another tab signed in, or the session was taken over at start.
  if (isSignedIn) return <Navigate to={target} replace />;
  return (
    <SignInFrame title={t('login.title')} lead={t('login.lead')}>
      <div className={style.notice}>
        {version?.needsSetup === true ? (
          <Notice tone="info">{t('login.needsSetup')}</Notice>
        ) : (
          hasEnded && <Notice tone="warning">{t('login.ended')}</Notice>
        )}
      </div>
      <SignInForm onSignedIn={() => navigate(target, { replace: true })} />
    </SignInFrame>
  );
}
