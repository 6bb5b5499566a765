// Tab "network": devices that answer on the server's own networks; the search starts when the tab opens.
import { useEffect } from 'react';
import { useT } from '../../language/use-t.ts';
import type { AddDeviceTabProps } from './add-device-tab-props.ts';
import { FoundDevices } from './found-devices.tsx';
import style from './add-device.module.css';
import { useScan } from './use-scan.ts';

const OWN_NETWORKS = {};

export function NetworkScanTab(props: AddDeviceTabProps) {
  const t = useT();
  const { scan, start, stop } = useScan();
  useEffect(() => void start(OWN_NETWORKS), [start]);
  return (
    <div className={style.form}>
      <FoundDevices
        {...props}
        head={<p className={style.intro}>{t('find.intro')}</p>}
        scan={scan}
        onStart={() => void start(OWN_NETWORKS)}
        onStop={stop}
        words={{ start: t('find.again'), none: t('find.none'), noneDetail: t('find.noneDetail') }}
      />
    </div>
  );
}
