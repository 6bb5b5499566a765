// The identity providers that sign the account in: linking and unlinking them.
import type { CallOutput } from '@vedette/contract/calls/calls.ts';
import type { IdentityLink } from '@vedette/contract/calls/identity-provider.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useBeginLink, useIdentityLinks, useUnlink } from '../../features/identity/identity-link.query.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useServices } from '../../services/services.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../ui/feedback/state-view.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import rows from '../../ui/layout/list-rows.module.css';
import { LinkDirectoryDialog } from './link-directory-dialog.tsx';
import { PanelFrame, PanelRow } from './panel.tsx';
import style from './personal-screen.module.css';

type Offer = CallOutput<'identity/link/list'>['offerList'][number];

export function IdentityPanel() {
  const t = useT();
  const { data, isPending, error } = useIdentityLinks();
  const begin = useBeginLink();
  const unlink = useUnlink();
  const [failure, setFailure] = useState<unknown>(null);
  const [typed, setTyped] = useState<Offer | null>(null);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setFailure(null);
    try {
      await work();
    } catch (thrown) {
      setFailure(thrown);
    }
  };
  const remove = async (providerId: string): Promise<void> => {
    await unlink(providerId);
    showToast('success', t('identity.unlinkDone'));
  };
  const isEmpty = data !== undefined && data.linkList.length + data.offerList.length === 0;
  return (
    <PanelFrame title={t('identity.ownTitle')} lead={t('identity.ownLead')}>
      {isPending && <SkeletonLines label={t('common.loading')} rows={2} rowHeight={52} />}
      {error !== null && <Notice tone="error">{failureText(t, error)}</Notice>}
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      {isEmpty && <p className={style.none}>{t('identity.ownNone')}</p>}
      {data !== undefined && !isEmpty && (
        <ul className={rows.list}>
          {data.linkList.map((link) => (
            <PanelRow key={link.providerId} name={link.providerName} detail={<LinkDetail link={link} />}>
              {data.hasPassword && (
                <Button onClick={() => void run(() => remove(link.providerId))}>{t('identity.unlink')}</Button>
              )}
            </PanelRow>
          ))}
          {data.offerList.map((offer) => (
            <OfferRow
              key={offer.providerId}
              offer={offer}
              onLink={() => (offer.isDirectory ? setTyped(offer) : void run(() => begin(offer.providerId)))}
            />
          ))}
        </ul>
      )}
      {data?.hasPassword === false && <p className={style.none}>{t('identity.onlyWay')}</p>}
      {typed !== null && <LinkDirectoryDialog {...typed} onClose={() => setTyped(null)} />}
    </PanelFrame>
  );
}

/** A shell shows pages of its own server alone, so a provider of OpenID Connect has to be linked in a browser. */
function OfferRow({ offer, onLink }: { readonly offer: Offer; readonly onLink: () => void }) {
  const t = useT();
  const isClient = useServices().mode === 'client';
  const isElsewhere = isClient && !offer.isDirectory;
  return (
    <PanelRow name={offer.providerName} detail={t(isElsewhere ? 'identity.linkInBrowser' : 'identity.unlinked')}>
      {!isElsewhere && <Button onClick={onLink}>{t('identity.link')}</Button>}
    </PanelRow>
  );
}

function LinkDetail({ link: { userLabel, lastUsedAt } }: { readonly link: IdentityLink }) {
  const t = useT();
  const time = formatDateTime(lastUsedAt, useTimeFormat(), false);
  return userLabel === '' ? t('identity.lastUsed', { time }) : t('identity.linkedAs', { user: userLabel, time });
}
