// A small snapshot of a device's first channel in its row: asked for once the row is in sight, as each one counts as a view.
import { DEVICE_STATUS } from '@vedette/contract/enumerations.ts';
import type { Device } from '@vedette/contract/entities.ts';
import { useEffect, useRef, useState } from 'react';
import { useSnapshot } from '../../features/device-inspector/device.query.ts';
import { useNewestDevice } from '../../realtime/status-store.ts';
import style from './devices-screen.module.css';

const FIRST_CHANNEL = 1;

export function DeviceThumbnail({ device }: { readonly device: Device }) {
  const { deviceSerial, channelNo, permission } = device;
  const { status } = useNewestDevice(device);
  const frame = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    if (frame.current === null || isSeen) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [isSeen]);
  const isWanted = isSeen && status === DEVICE_STATUS.online && permission.includes('Realplay');
  const { data: url } = useSnapshot(deviceSerial, channelNo ?? FIRST_CHANNEL, isWanted);
  return (
    <span ref={frame} className={style.thumbnail}>
      {isWanted && url !== undefined && !isBroken && <img src={url} alt="" onError={() => setBroken(true)} />}
    </span>
  );
}
