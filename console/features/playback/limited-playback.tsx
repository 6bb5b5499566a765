// Says what playback lacks in this browser, why, and how to get it.
import { IconInfoCircle } from '@tabler/icons-react';
import type { PlaybackEngineKind } from '@vedette/player/playback/playback-tile.ts';
import { useT } from '../../language/use-t.ts';
import style from './limited-playback.module.css';

export function LimitedPlayback({ engine }: { readonly engine: PlaybackEngineKind }) {
  const t = useT();
  if (engine.obstacle === null) return null;
  const isInsecure = engine.obstacle === 'insecure';
  return (
    <details className={style.root}>
      <summary className={style.summary}>
        <IconInfoCircle size={15} stroke={1.7} aria-hidden="true" />
        {t('playback.limited')}
      </summary>
      <div className={style.detail} role="note">
        <p>{t('playback.limitedDetail')}</p>
        <p>{t(isInsecure ? 'playback.limitedInsecure' : 'playback.limitedNoDecoder')}</p>
        {isInsecure && (
          <a href={`https://${location.host}${location.pathname}${location.search}`}>{t('playback.openSecure')}</a>
        )}
      </div>
    </details>
  );
}
