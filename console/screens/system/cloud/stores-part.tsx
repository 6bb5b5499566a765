// The object stores of the installation, and for each what can be done with it.
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { ObjectStoreInfo } from '@vedette/contract/calls/cloud.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { useState } from 'react';
import { isFailure } from '../../../calls/call-failure.ts';
import { failureText } from '../../../calls/failure-text.ts';
import { ConfirmDialog } from '../../../features/confirm/confirm-dialog.tsx';
import { useT } from '../../../language/use-t.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../../ui/feedback/state-view.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useCloudChange, useStores } from './cloud.query.ts';
import { StoreDialog } from './store-dialog.tsx';

type Doing =
  | { readonly kind: 'editing'; readonly store: ObjectStoreInfo | null }
  | { readonly kind: 'deleting'; readonly store: ObjectStoreInfo };

export function StoresPart() {
  const t = useT();
  const [doing, setDoing] = useState<Doing | null>(null);
  const stop = (): void => setDoing(null);
  return (
    <SettingsSection title={t('cloud.stores')} lead={t('cloud.storesLead')}>
      <StoreList onDoing={setDoing} />
      <Button
        className={style.add}
        icon={<IconPlus size={15} stroke={2} aria-hidden="true" />}
        onClick={() => setDoing({ kind: 'editing', store: null })}
      >
        {t('cloud.addStore')}
      </Button>
      {doing?.kind === 'editing' && <StoreDialog store={doing.store} onClose={stop} />}
      {doing?.kind === 'deleting' && <DeleteStore store={doing.store} onClose={stop} />}
    </SettingsSection>
  );
}

function StoreList({ onDoing }: { readonly onDoing: (doing: Doing) => void }) {
  const t = useT();
  const { data: stores, isPending, error, refetch } = useStores();
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={2} rowHeight={44} />;
  if (stores === undefined)
    return (
      <Notice tone="error" action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>
        {t('cloud.storesError')} {failureText(t, error)}
      </Notice>
    );
  if (stores.length === 0) return <p className={style.hint}>{t('cloud.noStores')}</p>;
  return (
    <ul className={style.rows} aria-label={t('cloud.stores')}>
      {stores.map((store) => (
        <StoreRow key={store.storeId} store={store} onDoing={onDoing} />
      ))}
    </ul>
  );
}

function StoreRow({ store, onDoing }: { readonly store: ObjectStoreInfo; readonly onDoing: (doing: Doing) => void }) {
  const t = useT();
  const { storeName, endpoint, bucket, planTotal, isDefault } = store;
  const more = t('cloud.storeMore', { name: storeName });
  return (
    <li className={style.row}>
      <div className={style.text}>
        <span className={style.name}>{storeName}</span>
        <span className={style.facts}>{[endpoint, bucket, t.plural('cloud.planCount', planTotal)].join(' · ')}</span>
      </div>
      <span className={style.status}>{isDefault ? t('cloud.isDefault') : ''}</span>
      <Menu
        label={more}
        side="bottom-end"
        width={180}
        entries={[
          { kind: 'item', label: t('cloud.change'), onChoose: () => onDoing({ kind: 'editing', store }) },
          { kind: 'line' },
          {
            kind: 'item',
            label: t('cloud.delete'),
            isDanger: true,
            onChoose: () => onDoing({ kind: 'deleting', store }),
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

function DeleteStore({ store, onClose }: { readonly store: ObjectStoreInfo; readonly onClose: () => void }) {
  const t = useT();
  const change = useCloudChange();
  return (
    <ConfirmDialog
      title={t('cloud.deleteTitle', { name: store.storeName })}
      detail={t('cloud.deleteDetail')}
      confirmLabel={t('cloud.delete')}
      done={t('cloud.deleted')}
      onConfirm={() => change('cloud/store/delete', { storeId: store.storeId })}
      onClose={onClose}
      sayFailure={(failure) => (isFailure(failure, ERROR_CODES.alreadyExists) ? t('cloud.deleteBusy') : null)}
    />
  );
}
