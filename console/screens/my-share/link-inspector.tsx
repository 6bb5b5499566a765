// One guest link in the inspector: its address to copy, what it shows, and the button that ends it.
import type { ShareLink } from '@vedette/contract/calls/share-link.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { ConfirmDialog } from '../../features/confirm/confirm-dialog.tsx';
import { LinkAddress } from '../../features/link-address/link-address.tsx';
import { useShareActions } from '../../features/share/share.query.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { type Fact, Facts, Section } from '../../ui/layout/facts.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { linkTitle } from './link-table.tsx';
import { StateMark, untilText } from './share-words.tsx';

export interface LinkInspectorProps {
  readonly link: ShareLink;
  readonly onClose: () => void;
}

export function LinkInspector({ link, onClose }: LinkInspectorProps) {
  const t = useT();
  const { revokeLink } = useShareActions();
  const [isAsking, setAsking] = useState(false);
  return (
    <Inspector
      title={linkTitle(link)}
      closeLabel={t('common.close')}
      onClose={onClose}
      footer={
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('link.revoke')}
        </Button>
      }
    >
      {link.state === 'active' && (
        <Section title={t('link.address')}>
          <LinkAddress label={t('link.address')} link={link.url} endTime={link.endTime} />
        </Section>
      )}
      <Section title={t('link.inspector')}>
        <Facts facts={useFacts(link)} />
      </Section>
      {isAsking && (
        <ConfirmDialog
          title={t('link.revokeAsk')}
          detail={t('link.revokeDetail')}
          confirmLabel={t('link.revoke')}
          done={t('link.revoked')}
          onConfirm={async () => {
            await revokeLink(link.linkId);
            onClose();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Inspector>
  );
}

function useFacts(link: ShareLink): Fact[] {
  const t = useT();
  const format = useTimeFormat();
  const clip: Fact[] =
    link.clipStartTime === null || link.clipEndTime === null
      ? []
      : [
          { name: t('link.clipFrom'), value: formatDateTime(link.clipStartTime, format) },
          { name: t('link.clipTo'), value: formatDateTime(link.clipEndTime, format) },
        ];
  return [
    { name: t('share.state'), value: <StateMark state={link.state} /> },
    { name: t('link.kind'), value: t(`link.kind_${link.kind}`) },
    { name: t('share.column_what'), value: link.channelName },
    ...clip,
    { name: t('link.until'), value: untilText(t, link.endTime, format) },
    { name: t('link.password'), value: t(link.hasPassword ? 'link.hasPassword' : 'link.noPassword') },
    { name: t('share.column_opened'), value: t.plural('link.opened', link.openCount) },
    {
      name: t('link.lastOpened'),
      value: link.lastOpenTime === null ? t('link.never') : formatDateTime(link.lastOpenTime, format, false),
    },
  ];
}
