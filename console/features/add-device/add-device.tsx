// Adding devices: one panel with five tabs; it remembers the tab used last.
import { LOCAL_SITE } from '@vedette/contract/site-far.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Inspector } from '../../ui/inspector.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { ChosenSiteProvider, SiteField } from '../sites/chosen-site.tsx';
import style from './add-device.module.css';
import { AddressDoor } from './address-door.tsx';
import type { DoorProps } from './door-props.ts';
import { DOORS, type Door, keepDoor, lastDoor } from './doors.ts';
import { FileDoor } from './file-door.tsx';
import { NetworkDoor } from './network-door.tsx';
import { RangeDoor } from './range-door.tsx';
import { SerialDoor } from './serial-door.tsx';
import { FooterSlot } from './wizard-footer.tsx';

const VIEWS = {
  network: NetworkDoor,
  address: AddressDoor,
  range: RangeDoor,
  file: FileDoor,
  serial: SerialDoor,
} as const;

/** Doors that lead into the network of a site. */
const NETWORK_DOORS: ReadonlySet<Door> = new Set(['network', 'address', 'range', 'file']);

export function AddDevice(props: DoorProps) {
  const t = useT();
  const [door, setDoor] = useState<Door>(lastDoor);
  const [siteId, setSite] = useState<string>(LOCAL_SITE);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const View = VIEWS[door];
  const choose = (next: Door): void => {
    keepDoor(next);
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
        <Segmented<Door>
          label={t('door.label')}
          value={door}
          isWide
          onValue={choose}
          options={DOORS.map((one) => ({ value: one, label: t(`door.${one}`) }))}
        />
        <FooterSlot value={slot}>
          {NETWORK_DOORS.has(door) && <SiteField siteId={siteId} onSite={setSite} />}
          <ChosenSiteProvider value={siteId}>
            <View key={siteId} {...props} />
          </ChosenSiteProvider>
        </FooterSlot>
      </div>
    </Inspector>
  );
}
