// Adding devices: one panel with five tabs; it remembers the tab used last.
import { LOCAL_SITE } from '@vedette/contract/site-far.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Inspector } from '../../ui/inspector.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ChosenSiteProvider, SiteField } from '../sites/chosen-site.tsx';
import style from './add-device.module.css';
import { AddByAddressTab } from './address-door.tsx';
import type { AddDeviceTabProps } from './door-props.ts';
import { ADD_DEVICE_TABS, type AddDeviceTab, rememberTab, lastTab } from './doors.ts';
import { ImportTab } from './file-door.tsx';
import { NetworkScanTab } from './network-door.tsx';
import { RangeScanTab } from './range-door.tsx';
import { AddBySerialTab } from './serial-door.tsx';
import { FooterSlot } from './wizard-footer.tsx';

const VIEWS = {
  network: NetworkScanTab,
  address: AddByAddressTab,
  range: RangeScanTab,
  file: ImportTab,
  serial: AddBySerialTab,
} as const;

/** Doors that lead into the network of a site. */
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
