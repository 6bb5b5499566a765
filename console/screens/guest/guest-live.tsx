// The live picture of a guest link, alone on the page.
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { LiveTile } from '@vedette/player/live/live-tile.ts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useNewLivePlayer } from '../../features/live/tile/live-player.ts';
import { TileMessage } from '../../features/live/tile/tile-message.tsx';
import { useCaller } from '../../services/services.ts';
import { guestSource, type OpenedLink } from './guest-opening.ts';
import style from './guest.module.css';

export interface GuestLiveProps {
  readonly token: string;
  readonly password: string | undefined;
  readonly link: OpenedLink;
  readonly label: string;
  /** The link is over, by time or because it was revoked. */
  readonly onEnded: () => void;
}

export function GuestLive({ token, password, link, label, onEnded }: GuestLiveProps) {
  const caller = useCaller();
  const player = useNewLivePlayer();
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  // The ticket that came with the opening is good for the first picture alone.
  const first = useRef<OpenedLink | null>(link);
  const [tile] = useState(() => new LiveTile(player));
  useEffect(() => {
    if (video.current === null || canvas.current === null) return;
    tile.attach({ video: video.current, canvas: canvas.current });
    tile.open(guestSource({ caller, token, password, first: first.current }), { audio: false });
    return () => {
      first.current = null;
      tile.detach();
    };
  }, [tile, caller, token, password]);
  const subscribe = (listener: () => void): (() => void) => tile.onChange(listener);
  const state = useSyncExternalStore(subscribe, () => tile.state);
  const stillAt = useSyncExternalStore(subscribe, () => tile.lastFrameAt);
  const isFrozen = state.kind !== 'live' || state.transport === 'jpeg';
  const isOver = (state.kind === 'ended' || state.kind === 'denied') && state.code === ERROR_CODES.shareEnded;
  useEffect(() => {
    if (isOver) onEnded();
  }, [isOver, onEnded]);
  return (
    <div className={style.stage} data-state={state.kind}>
      <video
        ref={video}
        className={style.video}
        muted
        playsInline
        disablePictureInPicture
        tabIndex={-1}
        aria-label={label}
      />
      <canvas
        ref={canvas}
        className={style.still}
        width={0}
        height={0}
        aria-hidden="true"
        data-shown={isFrozen || undefined}
      />
      <TileMessage state={state} lastFrameAt={stillAt} onRetry={() => tile.retry()} />
    </div>
  );
}
