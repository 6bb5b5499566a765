// The buttons of the sign-in page that lead to identity providers.
import { IconBuildingBank } from '@tabler/icons-react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useCaller } from '../../services/services.ts';
import { rememberTarget } from '../../session/identity-answer.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useServerOffer } from '../account/server-offer.query.ts';
import style from './provider-buttons.module.css';

export interface ProviderButtonsProps {
  /** In place of leaving the page. Never rejects. */
  readonly onOpen?: (providerId: string) => Promise<void>;
}

export function ProviderButtons({ onOpen }: ProviderButtonsProps) {
  const t = useT();
  const caller = useCaller();
  const { search } = useLocation();
  const { data: offer } = useServerOffer();
  const [going, setGoing] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const providers = offer?.identityProviderList ?? [];
  if (providers.length === 0) return null;
  const go = async (providerId: string): Promise<void> => {
    setGoing(providerId);
    setFailure(null);
    try {
      if (onOpen !== undefined) {
        await onOpen(providerId);
        return setGoing(null);
      }
      const { url } = await caller.ask('identity/signIn/begin', { providerId }, { showError: false });
      rememberTarget(search);
      window.location.assign(url);
    } catch (error) {
      setGoing(null);
      setFailure(error);
    }
  };
  return (
    <div className={style.providers}>
      <div className={style.or}>{t('identity.or')}</div>
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      {providers.map(({ providerId, providerName }) => (
        <Button
          key={providerId}
          size="large"
          isWide
          icon={<IconBuildingBank size={17} stroke={1.7} aria-hidden="true" />}
          isBusy={going === providerId}
          disabled={going !== null && going !== providerId}
          onClick={() => void go(providerId)}
        >
          {t('identity.signInWith', { name: providerName })}
        </Button>
      ))}
    </div>
  );
}
