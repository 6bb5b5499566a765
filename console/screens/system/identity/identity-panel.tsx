// The operator's identity providers: each with its state, changed in a dialog.
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { IdentityProvider } from '@vedette/contract/calls/identity-provider.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { ConfirmDialog } from '../../../features/confirm/confirm-dialog.tsx';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../../ui/feedback/state-view.tsx';
import { StatusDot } from '../../../ui/feedback/status-dot.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { SectionPage } from '../settings/section-page.tsx';
import { savedAs, useIdentityChange, useIdentityProviders } from './identity.query.ts';
import { ProviderDialog } from './provider-dialog.tsx';

type Doing =
  | { readonly kind: 'editing'; readonly provider: IdentityProvider | null }
  | { readonly kind: 'deleting'; readonly provider: IdentityProvider };

export function IdentityPanel() {
  const t = useT();
  const [doing, setDoing] = useState<Doing | null>(null);
  const stop = (): void => setDoing(null);
  return (
    <SectionPage>
      <SettingsSection title={t('identity.title')} lead={t('identity.lead')}>
        <ProviderList onDoing={setDoing} />
        <Button
          className={style.add}
          icon={<IconPlus size={15} stroke={2} aria-hidden="true" />}
          onClick={() => setDoing({ kind: 'editing', provider: null })}
        >
          {t('identity.add')}
        </Button>
        {doing?.kind === 'editing' && <ProviderDialog provider={doing.provider} onClose={stop} />}
        {doing?.kind === 'deleting' && <DeleteProvider provider={doing.provider} onClose={stop} />}
      </SettingsSection>
    </SectionPage>
  );
}

function ProviderList({ onDoing }: { readonly onDoing: (doing: Doing) => void }) {
  const t = useT();
  const { data: providers, isPending, error, refetch } = useIdentityProviders();
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={2} rowHeight={44} />;
  if (providers === undefined)
    return (
      <Notice tone="error" action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>
        {t('identity.error')} {failureText(t, error)}
      </Notice>
    );
  if (providers.length === 0) return <p className={style.hint}>{t('identity.none')}</p>;
  return (
    <ul className={style.rows} aria-label={t('identity.title')}>
      {providers.map((provider) => (
        <ProviderRow key={provider.providerId} provider={provider} onDoing={onDoing} />
      ))}
    </ul>
  );
}

interface RowProps {
  readonly provider: IdentityProvider;
  readonly onDoing: (doing: Doing) => void;
}

function ProviderRow({ provider, onDoing }: RowProps) {
  const t = useT();
  const change = useIdentityChange();
  const { providerName, issuer, directory, isEnabled, linkTotal } = provider;
  const place = directory === null ? issuer : `LDAP · ${directory.hosts.join(', ')}`;
  const more = t('identity.more', { name: providerName });
  const toggle = async (): Promise<void> => {
    try {
      await change('identity/provider/save', { ...savedAs(provider), isEnabled: !isEnabled });
    } catch (failure) {
      showToast('error', failureText(t, failure));
    }
  };
  return (
    <li className={style.row}>
      <div className={style.text}>
        <span className={style.name}>{providerName}</span>
        <span className={style.facts}>{[place, t.plural('identity.links', linkTotal)].join(' · ')}</span>
      </div>
      <span className={style.status}>
        <StatusDot
          tone={isEnabled ? 'online' : 'unknown'}
          label={t(isEnabled ? 'identity.enabled' : 'identity.disabled')}
        />
      </span>
      <Menu
        label={more}
        side="bottom-end"
        width={180}
        entries={[
          { kind: 'item', label: t('identity.change'), onChoose: () => onDoing({ kind: 'editing', provider }) },
          {
            kind: 'item',
            label: t(isEnabled ? 'identity.disable' : 'identity.enable'),
            onChoose: () => void toggle(),
          },
          { kind: 'line' },
          {
            kind: 'item',
            label: t('identity.delete'),
            isDanger: true,
            onChoose: () => onDoing({ kind: 'deleting', provider }),
          },
        ]}
      >
        <IconButton label={more} size="small" tipSide="left">
          <IconDots size={16} stroke={1.8} />
        </IconButton>
      </Menu>
    </li>
  );
}

function DeleteProvider({ provider, onClose }: { readonly provider: IdentityProvider; readonly onClose: () => void }) {
  const t = useT();
  const change = useIdentityChange();
  return (
    <ConfirmDialog
      title={t('identity.deleteTitle', { name: provider.providerName })}
      detail={t('identity.deleteDetail')}
      confirmLabel={t('identity.delete')}
      done={t('identity.deleted')}
      onConfirm={() => change('identity/provider/delete', { providerId: provider.providerId })}
      onClose={onClose}
    />
  );
}
