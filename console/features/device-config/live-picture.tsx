// The channel's live picture, with what is set drawn over it.
import { QUALITY } from '@vedette/contract/enumerations.ts';
import { LiveTile } from '@vedette/player/live-tile.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { channelSource } from '../live/channel-source.ts';
import { useNewLivePlayer } from '../live/live-player.ts';
import style from './device-config.module.css';

export interface LivePictureProps extends ChannelPlace {
  readonly label: string;
  readonly children?: ReactNode;
}

export function LivePicture({ deviceSerial, channelNo, label, children }: LivePictureProps) {
  const t = useT();
  const caller = useCaller();
  const { connection, opening, clock } = useNewLivePlayer();
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    if (video.current === null || canvas.current === null) return;
    const tile = new LiveTile({ connection, opening, clock });
    const stop = tile.onChange(() => setLive(tile.state.kind === 'live'));
    tile.attach({ video: video.current, canvas: canvas.current });
    const channel = { deviceSerial, channelNo };
    const source = channelSource({ caller, channel, quality: QUALITY.main, onQuality: () => undefined });
    tile.open(source, { audio: false });
    return () => {
      stop();
      tile.detach();
    };
  }, [caller, connection, opening, clock, deviceSerial, channelNo]);
  return (
    <div className={style.picture} data-live={isLive || undefined}>
      <canvas ref={canvas} width={0} height={0} aria-hidden="true" />
      <video ref={video} muted playsInline disablePictureInPicture tabIndex={-1} aria-label={label} />
      {!isLive && <span className={style.waiting}>{t('config.noPicture')}</span>}
      {children}
    </div>
  );
}
