// The moving part of a live picture: plays one stream of the channel and says when pictures come.
import { QUALITY, type Quality } from '@vedette/contract/enumerations.ts';
import { LiveTile } from '@vedette/player/live/live-tile.ts';
import { useEffect, useRef } from 'react';
import type { ChannelPlace } from '../../navigation/paths.ts';
import { useCaller } from '../../services/services.ts';
import { channelSource } from '../live/channel/channel-source.ts';
import { useNewLivePlayer } from '../live/tile/live-player.ts';

export interface LiveCanvasProps extends ChannelPlace {
  readonly label: string;
  /** The main stream unless told. */
  readonly quality?: Quality;
  /** Stays the same from one render to the next. */
  readonly onLive: (isLive: boolean) => void;
}

export function LiveCanvas({ deviceSerial, channelNo, label, quality = QUALITY.main, onLive }: LiveCanvasProps) {
  const caller = useCaller();
  const { connection, opening, clock, makeTransport } = useNewLivePlayer();
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (video.current === null || canvas.current === null) return;
    const tile = new LiveTile({ connection, opening, clock, makeTransport });
    const stop = tile.onChange(() => onLive(tile.state.kind === 'live'));
    tile.attach({ video: video.current, canvas: canvas.current });
    const channel = { deviceSerial, channelNo };
    const source = channelSource({ caller, channel, quality, onQuality: () => undefined });
    tile.open(source, { audio: false });
    return () => {
      stop();
      tile.detach();
    };
  }, [caller, connection, opening, clock, makeTransport, deviceSerial, channelNo, quality, onLive]);
  return (
    <>
      <canvas ref={canvas} width={0} height={0} aria-hidden="true" />
      <video ref={video} muted playsInline disablePictureInPicture tabIndex={-1} aria-label={label} />
    </>
  );
}
