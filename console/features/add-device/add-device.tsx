// Adding devices: one panel with five doors, which remembers the one used last.
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Inspector } from '../../ui/inspector.tsx';
import { Segmented } from '../../ui/segmented.tsx';
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

export function AddDevice(props: DoorProps) {
  const t = useT();
  const [door, setDoor] = useState<Door>(lastDoor);
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
          <View {...props} />
        </FooterSlot>
      </div>
    </Inspector>
  );
}
