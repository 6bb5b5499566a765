// Date and time of the picture that plays.
import { formatClock, formatDate, type TimeFormat } from '@vedette/rules/time-format.ts';
import { useSyncExternalStore } from 'react';
import { useT } from '../../language/use-t.ts';
import style from './playhead-clock.module.css';

export interface PlayheadClockProps {
  /** ms; null while nothing plays. */
  readonly position: () => number | null;
  readonly format: TimeFormat;
}

/** The seconds are read this often: they must not lag behind the picture, and need not follow each one. */
const READ_EVERY_MS = 200;

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, READ_EVERY_MS);
  return () => clearInterval(timer);
}

export function PlayheadClock({ position, format }: PlayheadClockProps) {
  const t = useT();
  const second = useSyncExternalStore(subscribe, () => {
    const at = position();
    return at === null ? null : Math.floor(at / 1000);
  });
  if (second === null) return <p className={style.clock} data-empty aria-hidden="true" />;
  const at = second * 1000;
  return (
    <p className={style.clock} data-playhead>
      <span className="visually-hidden">{t('playback.shownTime')}</span>
      <span className={style.date}>{formatDate(at, format)}</span>
      <time dateTime={new Date(at).toISOString()}>{formatClock(at, format)}</time>
    </p>
  );
}
