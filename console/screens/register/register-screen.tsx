// /register: a code that shows whose address it is, then a name and a password (RT-04).
import account from '../../features/verify-code/account-form.module.css';
import { useEffect, useState } from 'react';
import { Link, Navigate, useNavigate } from 'react-router';
import { useServerOffer } from '../../features/account/server-offer.query.ts';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { ContactStep } from '../../features/verify-code/contact-step.tsx';
import { useResend } from '../../features/verify-code/use-resend.ts';
import { useT } from '../../language/use-t.ts';
import { PATHS } from '../../navigation/paths.ts';
import { useServices } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { BLANK_FORM, type RegisterForm } from './register-form.ts';
import { RegisterStep } from './register-step.tsx';

export function RegisterScreen() {
  const t = useT();
  const navigate = useNavigate();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const { data: offer } = useServerOffer();
  const [wish, setWish] = useState<RegisterForm>(BLANK_FORM);
  const [isSent, setSent] = useState(false);
  const { left, start } = useResend();
  const { session } = useServices();
  useEffect(() => (isSignedIn ? undefined : session.beginRegistering()), [session, isSignedIn]);
  const change = (part: Partial<RegisterForm>): void => setWish((before) => ({ ...before, ...part }));
  if (isSignedIn) return <Navigate to={PATHS.liveVideo} replace />;
  return (
    <SignInFrame title={t('register.title')} lead={t(isSent ? 'register.leadTwo' : 'register.lead')}>
      {offer?.canRegister === false ? (
        <Notice tone="info">{t('account.notOffered')}</Notice>
      ) : isSent ? (
        <RegisterStep
          form={wish}
          onForm={change}
          left={left}
          onBack={() => setSent(false)}
          onDone={() => navigate(PATHS.liveVideo, { replace: true })}
        />
      ) : (
        <ContactStep
          purpose="register"
          target={wish.target}
          onTarget={(target) => change({ target })}
          left={left}
          onWait={start}
          onSent={(seconds) => {
            start(seconds);
            setSent(true);
          }}
        />
      )}
      <Link className={account.back ?? ''} to={PATHS.login}>
        {t('account.toLogin')}
      </Link>
    </SignInFrame>
  );
}
