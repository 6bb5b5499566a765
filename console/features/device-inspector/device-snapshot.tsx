// The newest snapshot of a device: its own JPEG, or one keyframe as MP4 where it makes none.
import { IconVideo } from '@tabler/icons-react';
import type { Device } from '@vedette/contract/entities.ts';
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import { useState } from 'react';
import { useSnapshot } from './device.query.ts';
import style from './device-inspector.module.css';

export function DeviceSnapshot({ device }: { readonly device: Device }) {
  const isOnline = device.status === DEVICE_STATUS.online && device.permission.includes('Realplay');
  const { data: url } = useSnapshot(device.deviceSerial, device.channelNo ?? 1, isOnline);
  return (
    <div className={style.still}>
      {url === undefined ? <NoPicture /> : <Picture key={url} url={url} name={device.deviceName} />}
    </div>
  );
}

function NoPicture() {
  return <IconVideo size={24} stroke={1.3} aria-hidden="true" />;
}

/** The answer alone knows which of the two it is: what is no image is tried as a film of one picture. */
function Picture({ url, name }: { readonly url: string; readonly name: string }) {
  const [kind, setKind] = useState<'image' | 'film' | 'none'>('image');
  if (kind === 'image') return <img src={url} alt={name} onError={() => setKind('film')} />;
  if (kind === 'none') return <NoPicture />;
  return (
    <video
      src={url}
      aria-label={name}
      muted
      playsInline
      preload="auto"
      disablePictureInPicture
      tabIndex={-1}
      onError={() => setKind('none')}
    />
  );
}
