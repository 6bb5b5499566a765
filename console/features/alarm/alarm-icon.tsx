// The sign of an alarm: the icon of its group in the colour and form of its severity.
import {
  IconAlertTriangle,
  IconCar,
  IconDeviceCctv,
  IconDeviceSdCard,
  IconDoor,
  IconFlame,
  IconLogin2,
  IconMoodSmile,
  IconNetworkOff,
  IconPhotoOff,
  IconRun,
  IconShieldExclamation,
  IconUser,
  IconVolume,
  IconWalk,
} from '@tabler/icons-react';
import type { AlarmGroup, AlarmSeverity } from '@vedette/contract/alarm-types.ts';
import style from './alarm-icon.module.css';

const ICONS: Record<AlarmGroup, typeof IconUser> = {
  motion: IconRun,
  picture: IconPhotoOff,
  person: IconUser,
  behaviour: IconWalk,
  vehicle: IconCar,
  face: IconMoodSmile,
  sound: IconVolume,
  fire: IconFlame,
  input: IconLogin2,
  access: IconDoor,
  storage: IconDeviceSdCard,
  device: IconDeviceCctv,
  network: IconNetworkOff,
  security: IconShieldExclamation,
  other: IconAlertTriangle,
};

export interface AlarmIconProps {
  readonly group: AlarmGroup;
  readonly severity: AlarmSeverity;
  /** The severity in words: colour is never the only sign. */
  readonly label: string;
}

export function AlarmIcon({ group, severity, label }: AlarmIconProps) {
  const Icon = ICONS[group];
  return (
    <span className={style.sign} data-severity={severity} role="img" aria-label={label} title={label}>
      <Icon size={15} stroke={1.8} aria-hidden="true" />
    </span>
  );
}
