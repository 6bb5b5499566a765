// Live view of a device before it is saved: one ticket, one tile; falls back to what stands below it.
import { Semaphore } from '@vedette/foundation/concurrency/semaphore.ts';
import { ERROR_CODES } from '@vedette/contract/errors.ts';
import { LiveConnection } from '@vedette/player/transports/live-connection.ts';
import { makeTransport } from '@vedette/player/transports/make-transport.ts';
import { LiveTile } from '@vedette/player/live/live-tile.ts';
import { playerClock } from '@vedette/player/core/player-clock.ts';
import type { TileSource } from '@vedette/player/live/tile-source.ts';
import { useEffect, useRef, useState } from 'react';
import style from './add-device.module.css';

export interface LivePreviewProps {
  readonly ticket: string;
  readonly label: string;
}

/** The ticket opens one session: when that is over, the still below remains. */
function oneTicket(ticket: string): TileSource {
  let isUsed = false;
  return {
    getTicket: () => {
      if (isUsed) return Promise.resolve({ kind: 'refused', code: ERROR_CODES.notFound, reason: null });
      isUsed = true;
      return Promise.resolve({ kind: 'ticket', ticket, quality: 0, hlsUrl: null });
    },
  };
}

function liveAddress(): string {
  const address = new URL('/media/live', window.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}

export function LivePreview({ ticket, label }: LivePreviewProps) {
  const video = useRef<HTMLVideoElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    if (video.current === null || canvas.current === null) return;
    const connection = new LiveConnection({
      url: liveAddress(),
      clock: playerClock,
      openSocket: (url) => new WebSocket(url),
    });
    const tile = new LiveTile({
      connection,
      opening: new Semaphore({ places: 1 }),
      clock: playerClock,
      makeTransport,
    });
    const stop = tile.onChange(() => setLive(tile.state.kind === 'live'));
    tile.attach({ video: video.current, canvas: canvas.current });
    tile.open(oneTicket(ticket), { audio: false });
    return () => {
      stop();
      tile.detach();
      connection.close();
    };
  }, [ticket]);
  return (
    <div className={style.live} data-live={isLive || undefined}>
      <canvas ref={canvas} width={0} height={0} aria-hidden="true" />
      <video ref={video} muted playsInline disablePictureInPicture tabIndex={-1} aria-label={label} />
    </div>
  );
}
