// The channel's live video with the settings drawn over it; the form does not wait for the player's code.
import type { Quality } from '@vedette/contract/enumerations.ts';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import style from './device-config.module.css';

const LiveCanvas = lazy(async () => ({ default: (await import('./live-canvas.tsx')).LiveCanvas }));

export interface LiveViewProps extends ChannelPlace {
  readonly label: string;
  /** The main stream unless told. */
  readonly quality?: Quality;
  readonly children?: ReactNode;
}

export function LiveView({ children, ...canvas }: LiveViewProps) {
  const t = useT();
  const [isLive, setLive] = useState(false);
  return (
    <div className={style.picture} data-live={isLive || undefined}>
      <Suspense fallback={null}>
        <LiveCanvas {...canvas} onLive={setLive} />
      </Suspense>
      {!isLive && <span className={style.waiting}>{t('config.noPicture')}</span>}
      {children}
    </div>
  );
}
