// What the colours and marks of the timeline mean.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { PlainKey } from '@vedette/phrases/pack.ts';
import { useT } from '../../../language/use-t.ts';
import style from './timeline-legend.module.css';

const ENTRIES: readonly { readonly kind: string; readonly label: PlainKey }[] = [
  { kind: 'normal', label: 'playback.legendRecorded' },
  { kind: 'alarm', label: 'playback.legendAlarm' },
  { kind: 'device', label: 'playback.legendDevice' },
  { kind: 'unknown', label: 'playback.legendUnknown' },
  { kind: 'gap', label: 'playback.legendGap' },
  { kind: 'lock', label: 'playback.legendLock' },
  { kind: 'bookmark', label: 'playback.legendBookmark' },
];

export interface TimelineLegendProps {
  /** Classes of objects that the timeline shows. */
  readonly classes: readonly ObjectClass[];
  /** It shows recordings of a type that this version does not know. */
  readonly hasUnknown: boolean;
}

export function TimelineLegend({ classes, hasUnknown }: TimelineLegendProps) {
  const t = useT();
  return (
    <ul className={style.legend} aria-label={t('playback.legend')}>
      {classes.map((objectClass) => (
        <li key={objectClass} className={style.entry}>
          <span className={style.sample} data-kind={objectClass} aria-hidden="true" />
          {t(`edge.class.${objectClass}`)}
        </li>
      ))}
      {ENTRIES.filter(({ kind }) => hasUnknown || kind !== 'unknown').map(({ kind, label }) => (
        <li key={kind} className={style.entry}>
          <span className={style.sample} data-kind={kind} aria-hidden="true" />
          {t(label)}
        </li>
      ))}
    </ul>
  );
}
