// Asks for consent where the privacy policy is newer than what was agreed to; who refuses is signed out (UI-04).
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useEffect, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useServices } from '../../services/services.ts';
import { useClientState } from '../../session/client-state.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { useChangeProfile, useProfile } from './account.query.ts';
import style from './consent-dialog.module.css';
import { useDocuments, useDocumentUrl } from './server-offer.query.ts';

export function ConsentDialog() {
  const t = useT();
  const format = useTimeFormat();
  const { session } = useServices();
  const change = useChangeProfile();
  const urlOf = useDocumentUrl();
  const { data: documents } = useDocuments();
  const { data: profile } = useProfile();
  const [state, setState] = useState({ isBusy: false, failure: null as unknown });
  const updated = documents?.privacyUpdateTime ?? 0;
  useEffect(() => {
    if (updated > 0) useClientState.setState({ privacyUpdateTime: updated });
  }, [updated]);
  if (profile === undefined || updated <= profile.privacyTime) return null;
  const agree = async (): Promise<void> => {
    setState({ isBusy: true, failure: null });
    try {
      await change({ privacyTime: updated });
      setState({ isBusy: false, failure: null });
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  };
  const refuse = (): void => void session.signOut();
  return (
    <Dialog
      isOpen
      onClose={refuse}
      title={t('consent.title')}
      closeLabel={t('consent.refuse')}
      actions={
        <>
          <Button onClick={refuse}>{t('consent.refuse')}</Button>
          <Button look="primary" isBusy={state.isBusy} onClick={() => void agree()}>
            {t('consent.agree')}
          </Button>
        </>
      }
    >
      <div className={style.words}>
        <p>{t('consent.text', { time: formatDateTime(updated, format, false) })}</p>
        <a href={urlOf('privacy')} target="_blank" rel="noreferrer">
          {t('consent.read')}
        </a>
        {state.failure !== null && <Notice tone="error">{failureText(t, state.failure)}</Notice>}
      </div>
    </Dialog>
  );
}
