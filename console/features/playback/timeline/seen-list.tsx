// When objects were seen, for those who do not see the lines of the timeline.
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useT } from '../../../language/use-t.ts';
import type { SeenRange } from './seen-ranges.ts';
import type { TickFormat } from './timeline-ticks.ts';

export interface SeenListProps {
  readonly seen: readonly SeenRange[];
  readonly format: TickFormat;
}

const LISTED_MAX = 200;

export function SeenList({ seen, format }: SeenListProps) {
  const t = useT();
  if (seen.length === 0) return null;
  return (
    <ul className="visually-hidden" aria-label={t('playback.seenRanges')}>
      {seen.slice(0, LISTED_MAX).map(({ objectClass, start, end }) => (
        <li key={`${start} ${objectClass}`} data-seen={objectClass}>
          {t('playback.seen', {
            name: t(`edge.class.${objectClass}`),
            from: formatDateTime(start, format),
            to: formatDateTime(end, format),
          })}
        </li>
      ))}
    </ul>
  );
}
