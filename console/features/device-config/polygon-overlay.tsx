// An area on the picture: its corners are dragged, or moved with the arrow keys.
import type { Point } from '@vedette/contract/config/fields.ts';
import { useT } from '../../language/use-t.ts';
import style from './device-config.module.css';
import { fieldText } from './field-words.ts';
import { useDrag } from './use-drag.ts';

export interface PolygonOverlayProps {
  readonly points: readonly Point[];
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChosen?: () => void;
  readonly onPoints: (points: readonly Point[]) => void;
}

export function PolygonOverlay({ points, label, isChosen, onChosen, onPoints }: PolygonOverlayProps) {
  return (
    <>
      <svg className={style.area} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        <polygon points={points.map(({ x, y }) => `${x},${y}`).join(' ')} data-chosen={isChosen || undefined} />
      </svg>
      {points.map((point, at) => (
        <Corner
          key={at}
          at={at}
          label={label}
          place={point}
          onFocus={onChosen}
          onPlace={(place) => onPoints(points.map((one, other) => (other === at ? place : one)))}
        />
      ))}
    </>
  );
}

interface CornerProps {
  readonly at: number;
  readonly label: string;
  readonly place: Point;
  readonly onFocus: (() => void) | undefined;
  readonly onPlace: (place: Point) => void;
}

function Corner({ at, label, place, onFocus, onPlace }: CornerProps) {
  const t = useT();
  const drag = useDrag(place, onPlace);
  return (
    <button
      type="button"
      className={style.corner}
      style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }}
      aria-label={t('config.corner', { name: fieldText(t, label), number: at + 1 })}
      onFocus={onFocus}
      {...drag}
    />
  );
}
