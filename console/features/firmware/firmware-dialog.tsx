// Firmware of devices: what can be upgraded to what, each with its progress, and the packages it comes from.
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import style from './firmware.module.css';
import { useFirmwareActions, useUpgrades } from './firmware.query.ts';
import { PackagePanel } from './package-panel.tsx';
import { UpgradeRow } from './upgrade-row.tsx';

export interface FirmwareDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

type Tab = 'devices' | 'packages';
const WIDTH = 640;

export function FirmwareDialog({ isOpen, onClose }: FirmwareDialogProps) {
  const t = useT();
  const [tab, setTab] = useState<Tab>('devices');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('firmware.title')} closeLabel={t('common.close')} width={WIDTH}>
      <div className={style.root}>
        <Segmented<Tab>
          label={t('firmware.title')}
          value={tab}
          onValue={setTab}
          options={[
            { value: 'devices', label: t('firmware.devices') },
            { value: 'packages', label: t('firmware.packages') },
          ]}
        />
        {tab === 'devices' ? (
          <Upgrades isOpen={isOpen} onPackages={() => setTab('packages')} />
        ) : (
          <PackagePanel isOpen={isOpen} />
        )}
      </div>
    </Dialog>
  );
}

function Upgrades({ isOpen, onPackages }: { readonly isOpen: boolean; readonly onPackages: () => void }) {
  const t = useT();
  const { data, isPending, error, refetch } = useUpgrades(isOpen);
  const { start } = useFirmwareActions();
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={4} rowHeight={48} />;
  if (data === undefined)
    return (
      <StateView
        role="alert"
        title={t('firmware.failed')}
        detail={failureText(t, error)}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (data.length === 0)
    return (
      <StateView
        title={t('firmware.none')}
        detail={t('firmware.noneDetail')}
        action={<Button onClick={onPackages}>{t('firmware.packages')}</Button>}
      />
    );
  return (
    <ul className={style.list}>
      {data.map((upgrade) => (
        <UpgradeRow key={upgrade.deviceSerial} upgrade={upgrade} onStart={start} />
      ))}
    </ul>
  );
}
