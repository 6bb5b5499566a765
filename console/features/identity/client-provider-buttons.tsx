// In a native client: the buttons that open an identity provider in the person's browser, or a word that it is used there, where the shell cannot wait for it.
import { useState } from 'react';
import { askShell, shellTakes } from '../../bridge/native-shell.ts';
import { useT } from '../../language/use-t.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useServerOffer } from '../account/server-offer.query.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import style from './provider-buttons.module.css';

type Opening = 'none' | 'waiting' | 'failed';

export function ClientProviderButtons() {
  const t = useT();
  const { data: offer } = useServerOffer();
  const [opening, setOpening] = useState<Opening>('none');
  const names = (offer?.identityProviderList ?? []).map(({ providerName }) => providerName).join(', ');
  if (names === '') return null;
  if (!shellTakes('identity/open')) return <p className={style.elsewhere}>{t('identity.signInBrowser', { names })}</p>;
  const open = async (providerId: string): Promise<void> => {
    const answer = await askShell('identity/open', { providerId });
    setOpening(answer === null ? 'failed' : 'waiting');
  };
  return (
    <>
      <ProviderButtons onOpen={open} />
      {opening !== 'none' && (
        <div className={style.opening}>
          <Notice tone={opening === 'failed' ? 'error' : 'info'}>
            {t(opening === 'failed' ? 'identity.clientFailed' : 'identity.clientWaiting')}
          </Notice>
        </div>
      )}
    </>
  );
}
