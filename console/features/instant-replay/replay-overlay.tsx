// Two minutes ago over a live tile; the player of recordings is fetched with the first replay.
import { lazy, Suspense, useEffect } from 'react';
import type { PlaybackChannel } from '../playback/playback-channel.ts';
import { endReplay, useReplayStart } from './replay-store.ts';
import style from './replay.module.css';

const ReplayPicture = lazy(async () => ({ default: (await import('./replay-picture.tsx')).ReplayPicture }));

export interface ReplayOverlayProps {
  readonly channel: PlaybackChannel;
}

export function ReplayOverlay({ channel: { deviceSerial, channelNo } }: ReplayOverlayProps) {
  const start = useReplayStart({ deviceSerial, channelNo });
  // A tile that is taken away comes back live.
  useEffect(() => () => endReplay({ deviceSerial, channelNo }), [deviceSerial, channelNo]);
  if (start === null) return null;
  return (
    <Suspense fallback={<div className={style.overlay} />}>
      <ReplayPicture deviceSerial={deviceSerial} channelNo={channelNo} start={start} />
    </Suspense>
  );
}
