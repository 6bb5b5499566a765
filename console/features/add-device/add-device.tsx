// Adding devices: one panel with five tabs; it remembers the tab used last.
import { LOCAL_SITE } from '@vedette/contract/remote-site.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { ChosenSiteProvider, SiteField } from '../site/chosen-site.tsx';
import style from './add-device.module.css';
import { AddByAddressTab } from './add-by-address-tab.tsx';
import type { AddDeviceTabProps } from './add-device-tab-props.ts';
import { ADD_DEVICE_TABS, type AddDeviceTab, rememberTab, lastTab } from './add-device-tabs.ts';
import { ImportTab } from './import-tab.tsx';
import { NetworkScanTab } from './network-scan-tab.tsx';
import { RangeScanTab } from './range-scan-tab.tsx';
import { AddBySerialTab } from './add-by-serial-tab.tsx';
import { FooterSlot } from './wizard-footer.tsx';

const VIEWS = {
  network: NetworkScanTab,
  address: AddByAddressTab,
  range: RangeScanTab,
  file: ImportTab,
  serial: AddBySerialTab,
} as const;

/** Tabs that search the network of a site. */
const NETWORK_TABS: ReadonlySet<AddDeviceTab> = new Set(['network', 'address', 'range', 'file']);

export function AddDevice(props: AddDeviceTabProps) {
  const t = useT();
  const [door, setDoor] = useState<AddDeviceTab>(lastTab);
  const [siteId, setSite] = useState<string>(LOCAL_SITE);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const View = VIEWS[door];
  const choose = (next: AddDeviceTab): void => {
    rememberTab(next);
    setDoor(next);
  };
  return (
    <Inspector
      title={t('add.title')}
      closeLabel={t('common.close')}
      onClose={props.onClose}
      isWide
      footer={<div ref={setSlot} className={style.footer} />}
    >
      <div className={style.wizard}>
        <Segmented<AddDeviceTab>
          label={t('door.label')}
          value={door}
          isWide
          onValue={choose}
          options={ADD_DEVICE_TABS.map((one) => ({ value: one, label: t(`door.${one}`) }))}
        />
        <FooterSlot value={slot}>
          {NETWORK_TABS.has(door) && <SiteField siteId={siteId} onSite={setSite} />}
          <ChosenSiteProvider value={siteId}>
            <View key={siteId} {...props} />
          </ChosenSiteProvider>
        </FooterSlot>
      </div>
    </Inspector>
  );
}
