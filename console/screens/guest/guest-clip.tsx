// The clip of a guest link with the browser's own controls.
import { openClip } from '@vedette/player/playback/hls/clip-player.ts';
import { useEffect, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { StateView } from '../../ui/feedback/state-view.tsx';
import type { OpenedLink } from './guest-opening.ts';
import style from './guest.module.css';

export interface GuestClipProps {
  readonly link: OpenedLink;
  readonly label: string;
  /** The server refused the clip: the link may be over. */
  readonly onRefused: () => void;
}

export function GuestClip({ link, label, onRefused }: GuestClipProps) {
  const t = useT();
  const video = useRef<HTMLVideoElement>(null);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    const element = video.current;
    if (element === null) return;
    let isGone = false;
    let end: () => void = () => undefined;
    const { pathname } = new URL(link.hlsUrl, location.href);
    const onFault = (status: number | null): void => (status === 403 || status === 401 ? onRefused() : setFailed(true));
    void openClip({ video: element, url: new URL(pathname, location.href).href, onFault }).then((close) => {
      if (isGone) close();
      else end = close;
    });
    return () => {
      isGone = true;
      end();
    };
  }, [link, onRefused]);
  return (
    <div className={style.stage}>
      <video ref={video} controls autoPlay muted playsInline aria-label={label} />
      {isFailed && (
        <div className={style.over}>
          <StateView role="alert" title={t('guest.clipFailed')} />
        </div>
      )}
    </div>
  );
}
