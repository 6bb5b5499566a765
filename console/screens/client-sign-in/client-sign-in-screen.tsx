// /signIn/client: the page that a native client opens in the person's browser for signing in at an identity provider, and where the browser ends up.
import { useState } from 'react';
import { useLocation, useParams } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useServerOffer } from '../../features/account/server-offer.query.ts';
import { SignInFrame } from '../../features/sign-in/sign-in-frame.tsx';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { rememberClient, type WaitingClient, waitingClientOf } from '../../session/waiting-client.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import style from './client-sign-in.module.css';

const DONE = '#done';

export function ClientSignInScreen() {
  const t = useT();
  const { search, hash } = useLocation();
  const { providerId = '' } = useParams();
  if (hash === DONE) {
    return (
      <SignInFrame title={t('login.title')} lead={t('identity.clientDone')}>
        {null}
      </SignInFrame>
    );
  }
  const client = waitingClientOf(search);
  return (
    <SignInFrame title={t('login.title')} lead={t('identity.clientLead')}>
      {client === null ? (
        <Notice tone="error">{t('identity.clientBad')}</Notice>
      ) : (
        <Question client={client} providerId={providerId} />
      )}
    </SignInFrame>
  );
}

/** Never by itself: whoever sends somebody such an address would sign a client of theirs in. */
function Question({ client, providerId }: { readonly client: WaitingClient; readonly providerId: string }) {
  const t = useT();
  const caller = useCaller();
  const { data: offer } = useServerOffer();
  const [state, setState] = useState({ isBusy: false, failure: null as unknown });
  const provider = offer?.identityProviderList.find((one) => one.providerId === providerId);
  const go = async (): Promise<void> => {
    setState({ isBusy: true, failure: null });
    try {
      const { challenge } = client;
      const { url } = await caller.ask('identity/signIn/begin', { providerId, challenge }, { showError: false });
      rememberClient(client);
      window.location.assign(url);
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  };
  if (offer === undefined) return null;
  if (provider === undefined) return <Notice tone="error">{t('reason_identityClosed')}</Notice>;
  return (
    <div className={style.question}>
      <Notice tone="warning">{t('identity.clientWarning')}</Notice>
      {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
      <Button look="primary" size="large" isWide isBusy={state.isBusy} onClick={() => void go()}>
        {t('identity.signInWith', { name: provider.providerName })}
      </Button>
    </div>
  );
}
