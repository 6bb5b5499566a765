// A text on the picture that is dragged to its place.
import type { Point } from '@vedette/contract/config/fields.ts';
import { useT } from '../../language/use-t.ts';
import style from './device-config.module.css';
import { useDrag } from './use-drag.ts';

export interface PointHandleProps {
  readonly place: Point;
  readonly label: string;
  readonly isChosen: boolean;
  readonly onChosen: () => void;
  readonly onPlace: (place: Point) => void;
}

export function PointHandle({ place, label, isChosen, onChosen, onPlace }: PointHandleProps) {
  const t = useT();
  const drag = useDrag(place, onPlace);
  return (
    <button
      type="button"
      className={style.handle}
      data-chosen={isChosen || undefined}
      style={{ left: `${place.x * 100}%`, top: `${place.y * 100}%` }}
      aria-label={t('config.moveText', { text: label })}
      onFocus={onChosen}
      {...drag}
    >
      {label === '' ? '·' : label}
    </button>
  );
}
