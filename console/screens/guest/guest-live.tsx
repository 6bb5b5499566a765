// The live picture of a guest link, alone on the page.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { LiveTile } from '@vedette/player/live-tile.ts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useNewLivePlayer } from '../../features/live/live-player.ts';
import { TileMessage } from '../../features/live/tile-message.tsx';
import { useCaller } from '../../services/services.ts';
import { guestSource } from './guest-opening.ts';
import style from './guest.module.css';

export interface GuestLiveProps {
  readonly word: string;
  readonly password: string | undefined;
  readonly label: string;
  /** The link is over, by time or because it was revoked. */
  readonly onEnded: () => void;
}

export function GuestLive({ word, password, label, onEnded }: GuestLiveProps) {
  const caller = useCaller();
  const player = useNewLivePlayer();
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [tile] = useState(() => new LiveTile(player));
  useEffect(() => {
    if (video.current === null || canvas.current === null) return;
    tile.attach({ video: video.current, canvas: canvas.current });
    tile.open(guestSource(caller, word, password), { audio: false });
    return () => tile.detach();
  }, [tile, caller, word, password]);
  const subscribe = (listener: () => void): (() => void) => tile.onChange(listener);
  const state = useSyncExternalStore(subscribe, () => tile.state);
  const stillAt = useSyncExternalStore(subscribe, () => tile.stillAt);
  const isOver = (state.kind === 'ended' || state.kind === 'denied') && state.code === ERROR_CODES.shareEnded;
  useEffect(() => {
    if (isOver) onEnded();
  }, [isOver, onEnded]);
  return (
    <div className={style.stage} data-state={state.kind}>
      {/* biome-ignore lint/a11y/useMediaCaption: a live camera has no captions */}
      <video ref={video} muted playsInline disablePictureInPicture tabIndex={-1} aria-label={label} />
      <canvas ref={canvas} width={0} height={0} aria-hidden="true" />
      <TileMessage state={state} stillAt={stillAt} onRetry={() => tile.retry()} />
    </div>
  );
}
