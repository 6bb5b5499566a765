// The CDN providers of the installation, and for each what can be done with it.
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { CdnProvider } from '@vedette/contract/calls/cdn.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { useState } from 'react';
import { isFailure } from '../../../calls/call-failure.ts';
import { failureText } from '../../../calls/failure-text.ts';
import { ConfirmDialog } from '../../../features/confirm/confirm-dialog.tsx';
import { useT } from '../../../language/use-t.ts';
import { useCaller } from '../../../services/services.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../../ui/feedback/state-view.tsx';
import { showToast } from '../../../ui/feedback/toast-store.ts';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useCdnChange, useProviders } from './cdn-live.query.ts';
import { CreateCode } from './create-code.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { signingPhrase } from './signing-phrase.ts';

type Doing =
  | { readonly kind: 'code' }
  | { readonly kind: 'editing'; readonly provider: CdnProvider | null }
  | { readonly kind: 'deleting'; readonly provider: CdnProvider };

export function ProvidersPart() {
  const t = useT();
  const [doing, setDoing] = useState<Doing | null>(null);
  const stop = (): void => setDoing(null);
  return (
    <SettingsSection title={t('cdn.providers')} lead={t('cdn.providersLead')}>
      <ProviderList onDoing={setDoing} />
      <div className={style.buttons}>
        <Button
          className={style.add}
          icon={<IconPlus size={15} stroke={2} aria-hidden="true" />}
          onClick={() => setDoing({ kind: 'editing', provider: null })}
        >
          {t('cdn.addProvider')}
        </Button>
        <Button onClick={() => setDoing({ kind: 'code' })}>{t('cdn.createCode')}</Button>
      </div>
      {doing?.kind === 'code' && <CreateCode onClose={stop} />}
      {doing?.kind === 'editing' && <ProviderDialog provider={doing.provider} onClose={stop} />}
      {doing?.kind === 'deleting' && <DeleteProvider provider={doing.provider} onClose={stop} />}
    </SettingsSection>
  );
}

function ProviderList({ onDoing }: { readonly onDoing: (doing: Doing) => void }) {
  const t = useT();
  const { data: providers, isPending, error, refetch } = useProviders();
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={2} rowHeight={44} />;
  if (providers === undefined)
    return (
      <Notice tone="error" action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>
        {t('cdn.providersError')} {failureText(t, error)}
      </Notice>
    );
  if (providers.length === 0) return <p className={style.hint}>{t('cdn.noProviders')}</p>;
  return (
    <ul className={style.rows} aria-label={t('cdn.providers')}>
      {providers.map((provider) => (
        <ProviderRow key={provider.providerId} provider={provider} onDoing={onDoing} />
      ))}
    </ul>
  );
}

interface RowProps {
  readonly provider: CdnProvider;
  readonly onDoing: (doing: Doing) => void;
}

function ProviderRow({ provider, onDoing }: RowProps) {
  const t = useT();
  const test = useTest();
  const { providerName, kind, publishAddress, baseAddress, signing, liveTotal } = provider;
  const more = t('cdn.more', { name: providerName });
  const place =
    kind === 'origin'
      ? [t('cdn.kind.origin'), ...(baseAddress === '' ? [] : [baseAddress])]
      : [...(kind === 'push' ? [] : [t(`cdn.kind.${kind}`)]), publishAddress, t(signingPhrase(kind, signing))];
  const facts = [...place, t.plural('cdn.liveCount', liveTotal)];
  const testing = { kind: 'item', label: t('cdn.test'), onChoose: () => void test(provider) } as const;
  return (
    <li className={style.row}>
      <div className={style.text}>
        <span className={style.name}>{providerName}</span>
        <span className={style.facts}>{facts.join(' · ')}</span>
      </div>
      <span className={style.status} />
      <Menu
        label={more}
        side="bottom-end"
        width={180}
        entries={[
          ...(kind === 'origin' ? [] : [testing]),
          { kind: 'item', label: t('cdn.change'), onChoose: () => onDoing({ kind: 'editing', provider }) },
          { kind: 'line' },
          {
            kind: 'item',
            label: t('cdn.delete'),
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

/** Tells the outcome in a toast. */
function useTest(): (provider: CdnProvider) => Promise<void> {
  const t = useT();
  const caller = useCaller();
  return async ({ providerId, providerName }) => {
    try {
      const { reason } = await caller.ask('cdn/provider/test', { providerId }, { showError: false });
      if (reason === null) showToast('success', t('cdn.works', { name: providerName }));
      else showToast('error', t('cdn.fails', { name: providerName, reason: t(`cdn.reason.${reason}`) }));
    } catch (error) {
      showToast('error', failureText(t, error));
    }
  };
}

function DeleteProvider({ provider, onClose }: { readonly provider: CdnProvider; readonly onClose: () => void }) {
  const t = useT();
  const change = useCdnChange();
  return (
    <ConfirmDialog
      title={t('cdn.deleteTitle', { name: provider.providerName })}
      detail={t('cdn.deleteDetail')}
      confirmLabel={t('cdn.delete')}
      done={t('cdn.deleted')}
      onConfirm={() => change('cdn/provider/delete', { providerId: provider.providerId })}
      onClose={onClose}
      sayFailure={(failure) => (isFailure(failure, ERROR_CODES.alreadyExists) ? t('cdn.deleteBusy') : null)}
    />
  );
}
