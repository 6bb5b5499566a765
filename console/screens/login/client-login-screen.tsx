// /login in client mode (RT-03): which server, the same form, what is kept on this machine, the devices of its network.
import { useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { ClientKeeping, LanDevices } from '../../features/client-login/client-keeping.tsx';
import { useServerOffer } from '../../features/account/server-offer.query.ts';
import { useShellInfo } from '../../features/client-login/shell-info.query.ts';
import { ServerAddress } from '../../features/client-login/server-address.tsx';
import { ClientProviderButtons } from '../../features/identity/client-provider-buttons.tsx';
import { SignInForm } from '../../features/sign-in/sign-in-form.tsx';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { afterSignIn } from '../../services/navigation-guard.ts';
import { useCaller } from '../../services/services.ts';
import { useAuth } from '../../session/auth-store.ts';
import { useClientState } from '../../session/client-state.ts';
import { rememberSignIn, readRemembered } from '../../session/remembered-sign-in.ts';
import { createSignInKey, endSignInKey, keepSignInKey } from '../../session/sign-in-key.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import style from './login-screen.module.css';

export function ClientLoginScreen() {
  const t = useT();
  const caller = useCaller();
  const { devices, keyStore } = useShellInfo();
  const { search } = useLocation();
  const isSignedIn = useAuth((auth) => auth.accessToken !== '');
  const hasEnded = useAuth((auth) => auth.hasEnded);
  const [kept, setKept] = useState(() => {
    const { loginName, isAutoLogin } = readRemembered();
    if (loginName !== '') useClientState.setState({ accountLoginName: loginName });
    return { isRemembered: loginName !== '', isAutoLogin };
  });
  const target = afterSignIn(search);
  if (isSignedIn) return <Navigate to={target} replace />;
  const onSignedIn = (hasKey: boolean): void => {
    const { accountLoginName } = useClientState.getState();
    const loginName = kept.isRemembered ? accountLoginName : '';
    rememberSignIn({ loginName, isAutoLogin: kept.isAutoLogin }, hasKey);
    if (hasKey) keepSignInKey(accountLoginName);
    else void endSignInKey(caller);
  };
  return (
    <SignInFrame title={t('login.title')} lead={t('login.lead')}>
      <div className={style.notice}>{hasEnded && <Notice tone="warning">{t('login.ended')}</Notice>}</div>
      <ServerAddress />
      <SignInForm
        onSignedIn={onSignedIn}
        createKey={kept.isAutoLogin ? createSignInKey : undefined}
        ways={
          <>
            <ClientKeeping
              isRemembered={kept.isRemembered}
              isAutoLogin={kept.isAutoLogin}
              isKeyInFile={keyStore === 'file'}
              onChange={(part) => setKept((before) => ({ ...before, ...part }))}
            />
            <OtherAccounts />
          </>
        }
      />
      <LanDevices devices={devices} />
    </SignInFrame>
  );
}

/** Whose accounts the form takes beside ours, and who signs in elsewhere. */
function OtherAccounts() {
  const t = useT();
  const { data: offer } = useServerOffer();
  const directories = (offer?.directoryNameList ?? []).join(', ');
  return (
    <>
      {directories !== '' && <p className={style.directories}>{t('directory.signInLead', { names: directories })}</p>}
      <ClientProviderButtons />
    </>
  );
}
