// Asks before a site is forgotten.
import type { Site } from '@vedette/contract/calls/site.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { useState } from 'react';
import { isFailure } from '../../calls/call-failure.ts';
import { failureText } from '../../calls/failure-text.ts';
import { siteNameOf, useSiteChanges } from '../../features/sites/site.query.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { showToast } from '../../ui/toast-store.ts';

export function RemoveSite({ site, onClose }: { readonly site: Site; readonly onClose: () => void }) {
  const t = useT();
  const { remove } = useSiteChanges();
  const [state, setState] = useState<{ readonly isBusy: boolean; readonly failure: unknown }>({
    isBusy: false,
    failure: null,
  });
  async function confirm(): Promise<void> {
    setState({ isBusy: true, failure: null });
    try {
      await remove(site.siteId);
      showToast('success', t('sites.removed'));
      onClose();
    } catch (failure) {
      setState({ isBusy: false, failure });
    }
  }
  const isUsed = isFailure(state.failure, ERROR_CODES.alreadyExists);
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('sites.removeTitle', { name: siteNameOf(t, site) })}
      closeLabel={t('common.close')}
      actions={
        <>
          <Button onClick={onClose}>{t('sites.keep')}</Button>
          <Button look="danger" isBusy={state.isBusy} onClick={() => void confirm()}>
            {t('sites.removeConfirm')}
          </Button>
        </>
      }
    >
      <p>{t('sites.removeDetail')}</p>
      {state.failure !== null && (
        <Notice tone="error">{isUsed ? t('sites.removeBusy') : failureText(t, state.failure)}</Notice>
      )}
    </Dialog>
  );
}
