// Asks an account without a password to sign in at its identity provider again, in a window of its own, while the page and its call wait.
import { useEffect, useRef, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller, useServices } from '../../services/services.ts';
import type { IdentityAnswer } from '../../session/identity-answer.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { awaitAnswer } from '../../session/identity-channel.ts';
import { settleStepUp } from './step-up-store.ts';

type State =
  | { readonly kind: 'asking' | 'waiting' | 'blocked' }
  | { readonly kind: 'failed'; readonly failure: unknown };

function useProviderProof() {
  const caller = useCaller();
  const [state, setState] = useState<State>({ kind: 'asking' });
  const stop = useRef<() => void>(() => undefined);
  useEffect(() => () => stop.current(), []);
  const onAnswer = async ({ providerId, parameters }: IdentityAnswer): Promise<void> => {
    try {
      await caller.ask('identity/link/finish', { providerId, parameters }, { showError: false });
      settleStepUp(true);
    } catch (failure) {
      setState({ kind: 'failed', failure });
    }
  };
  const begin = async (): Promise<void> => {
    // At once: a window that opens later than the click is blocked.
    const opened = window.open('', '_blank', 'popup,width=520,height=720');
    if (opened === null) return setState({ kind: 'blocked' });
    setState({ kind: 'waiting' });
    try {
      const { url } = await caller.ask('identity/proof/begin', {}, { showError: false });
      stop.current();
      stop.current = awaitAnswer(new URL(url).searchParams.get('state') ?? '', (answer) => void onAnswer(answer));
      opened.location.replace(url);
    } catch (failure) {
      opened.close();
      setState({ kind: 'failed', failure });
    }
  };
  return { state, begin };
}

export function ProviderQuestion({ providerName }: { readonly providerName: string }) {
  return useServices().mode === 'client' ? (
    <BrowserQuestion providerName={providerName} />
  ) : (
    <WindowQuestion providerName={providerName} />
  );
}

/** A shell shows no pages of a provider. */
function BrowserQuestion({ providerName }: { readonly providerName: string }) {
  const t = useT();
  return (
    <Dialog
      isOpen
      onClose={() => settleStepUp(false)}
      title={t('stepUp.title')}
      closeLabel={t('common.close')}
      actions={
        <Button data-autofocus onClick={() => settleStepUp(false)}>
          {t('common.close')}
        </Button>
      }
    >
      <p>{t('identity.proofInBrowser', { name: providerName })}</p>
    </Dialog>
  );
}

function WindowQuestion({ providerName }: { readonly providerName: string }) {
  const t = useT();
  const { state, begin } = useProviderProof();
  return (
    <Dialog
      isOpen
      onClose={() => settleStepUp(false)}
      title={t('stepUp.title')}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={() => settleStepUp(false)}>{t('common.cancel')}</Button>
          <Button look="primary" data-autofocus onClick={() => void begin()}>
            {t('identity.proofOpen', { name: providerName })}
          </Button>
        </>
      }
    >
      <p>{t('identity.proofLead', { name: providerName })}</p>
      {state.kind === 'waiting' && <Notice tone="info">{t('identity.proofWaiting')}</Notice>}
      {state.kind === 'blocked' && <Notice tone="error">{t('identity.proofBlocked')}</Notice>}
      {state.kind === 'failed' && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
    </Dialog>
  );
}
