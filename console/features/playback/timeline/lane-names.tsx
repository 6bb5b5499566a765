// The names of the cameras beside their lanes, where the timeline has more than one.
import style from './timeline.module.css';
import { placeRows, type TimelineRow } from './timeline-rows.ts';

export interface LaneNamesProps {
  readonly rows: readonly TimelineRow[];
  readonly selectedKey: string | null;
}

export function LaneNames({ rows, selectedKey }: LaneNamesProps) {
  if (rows.length < 2) return null;
  const layout = placeRows(rows, selectedKey);
  return (
    <ol className={style.lanes} data-lanes>
      {layout.rows.map(({ key, name, top, height, isSelected }) => (
        <li
          key={key}
          className={style.lane}
          style={{ top, height }}
          title={name}
          data-selected={isSelected || undefined}
          data-slim={height < 12 || undefined}
        >
          {name}
        </li>
      ))}
    </ol>
  );
}
