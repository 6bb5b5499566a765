// Sites: the places with cameras of this installation, and for each what can be done with it.
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { Site, SiteCode } from '@vedette/contract/calls/site.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { siteNameOf, useSiteChanges, useSites } from '../../../features/site/site.query.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Menu, type MenuEntry } from '../../../ui/overlays/menu.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { SkeletonLines } from '../../../ui/feedback/state-view.tsx';
import { StatusDot, type StatusTone } from '../../../ui/feedback/status-dot.tsx';
import { RemoveSite } from './remove-site.tsx';
import { SiteCodeDialog } from './site-code-dialog.tsx';
import { SiteNameDialog } from './site-name-dialog.tsx';
import style from './sites-part.module.css';

const TONES: Record<Site['status'], StatusTone> = { online: 'online', offline: 'offline', waiting: 'unknown' };

type Doing =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'adding' }
  | { readonly kind: 'renaming' | 'removing'; readonly site: Site }
  | { readonly kind: 'code'; readonly code: SiteCode };

const NOTHING: Doing = { kind: 'nothing' };

export function SitesPart() {
  const t = useT();
  const [doing, setDoing] = useState<Doing>(NOTHING);
  const [failure, setFailure] = useState<unknown>(null);
  const { data: sites, isPending, error, refetch } = useSites({ isExpecting: doing.kind === 'code' });
  const { newCode } = useSiteChanges();
  const askCode = async (site: Site): Promise<void> => {
    setFailure(null);
    try {
      setDoing({ kind: 'code', code: await newCode(site.siteId) });
    } catch (reason) {
      setFailure(reason);
    }
  };
  return (
    <SettingsSection title={t('sites.title')} lead={t('sites.lead')}>
      {isPending && <SkeletonLines label={t('common.loading')} rows={2} rowHeight={44} />}
      {sites === undefined && error !== null && (
        <Notice tone="error" action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>
          {t('sites.error')} {failureText(t, error)}
        </Notice>
      )}
      {sites !== undefined && (
        <ul className={style.sites}>
          {sites.map((site) => (
            <SiteRow
              key={site.siteId}
              site={site}
              onRename={() => setDoing({ kind: 'renaming', site })}
              onRemove={() => setDoing({ kind: 'removing', site })}
              onCode={() => void askCode(site)}
            />
          ))}
        </ul>
      )}
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      <Button
        className={style.add}
        icon={<IconPlus size={15} stroke={2} aria-hidden="true" />}
        onClick={() => setDoing({ kind: 'adding' })}
      >
        {t('sites.add')}
      </Button>
      <DoingDialog doing={doing} sites={sites ?? []} onDoing={setDoing} />
    </SettingsSection>
  );
}

interface DoingDialogProps {
  readonly doing: Doing;
  readonly sites: readonly Site[];
  readonly onDoing: (doing: Doing) => void;
}

function DoingDialog({ doing, sites, onDoing }: DoingDialogProps) {
  const stop = (): void => onDoing(NOTHING);
  switch (doing.kind) {
    case 'nothing':
      return null;
    case 'adding':
    case 'renaming':
      return (
        <SiteNameDialog
          site={doing.kind === 'renaming' ? doing.site : null}
          onClose={stop}
          onAdded={(code) => onDoing({ kind: 'code', code })}
        />
      );
    case 'removing':
      return <RemoveSite site={doing.site} onClose={stop} />;
    case 'code': {
      const site = sites.find(({ siteId }) => siteId === doing.code.site.siteId);
      return <SiteCodeDialog code={doing.code} isConnected={site?.status === 'online'} onClose={stop} />;
    }
  }
}

interface SiteRowProps {
  readonly site: Site;
  readonly onRename: () => void;
  readonly onRemove: () => void;
  readonly onCode: () => void;
}

function SiteRow({ site, onRename, onRemove, onCode }: SiteRowProps) {
  const t = useT();
  const name = siteNameOf(t, site);
  const far: MenuEntry[] = [
    { kind: 'item', label: t('sites.newCode'), onChoose: onCode },
    { kind: 'line' },
    { kind: 'item', label: t('sites.remove'), onChoose: onRemove, isDanger: true },
  ];
  return (
    <li className={style.site}>
      <div className={style.text}>
        <span className={style.name}>{name}</span>
        <span className={style.facts}>{useFacts(site).join(' · ')}</span>
      </div>
      <span className={style.status}>
        <StatusDot tone={TONES[site.status]} label={t(`sites.${site.status}`)} />
      </span>
      <Menu
        label={t('sites.more', { name })}
        side="bottom-end"
        width={180}
        entries={[{ kind: 'item', label: t('sites.rename'), onChoose: onRename }, ...(site.isLocal ? [] : far)]}
      >
        <IconButton label={t('sites.more', { name })} size="small" tipSide="left">
          <IconDots size={16} stroke={1.8} />
        </IconButton>
      </Menu>
    </li>
  );
}

/** What is known of it, the most telling first. */
function useFacts({ status, cameraTotal, version, address, lastSeen, codeUntil, serial }: Site): string[] {
  const t = useT();
  const format = useTimeFormat();
  if (status === 'waiting') {
    const code =
      codeUntil === null
        ? t('sites.codeOver')
        : t('sites.codeUntil', { time: formatDateTime(codeUntil, format, false) });
    return [serial, code];
  }
  const seen =
    lastSeen === null ? t('sites.seenNever') : t('sites.seen', { time: formatDateTime(lastSeen, format, false) });
  return [
    t.plural('sites.cameras', cameraTotal),
    ...(version === '' ? [] : [t('sites.version', { version })]),
    ...(address === '' ? [] : [address]),
    ...(status === 'offline' ? [seen] : []),
  ];
}
