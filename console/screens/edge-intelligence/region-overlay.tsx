// Lines, zones and masks over the picture: points are dragged or moved with the arrow keys, added on a side and removed with Delete.
import { IconArrowRight, IconArrowsHorizontal } from '@tabler/icons-react';
import type { AnalysisRegion } from '@vedette/contract/calls/analysis.ts';
import { ANALYSIS_LIMITS } from '@vedette/contract/limits.ts';
import type { ScenePoint } from '@vedette/contract/site/site-analysis.ts';
import type { CSSProperties, KeyboardEvent } from 'react';
import { useDrag } from '../../features/device-config/use-drag.ts';
import { useT } from '../../language/use-t.ts';
import { withoutPoint, withPoint } from './task-draft.ts';
import style from './region-overlay.module.css';

export interface RegionOverlayProps {
  readonly regions: readonly AnalysisRegion[];
  /** Place in the list of the region in hand. */
  readonly chosen: number;
  readonly onChosen: (at: number) => void;
  readonly onRegion: (at: number, region: AnalysisRegion) => void;
}

export function RegionOverlay({ regions, chosen, onChosen, onRegion }: RegionOverlayProps) {
  return (
    <div className={style.overlay} data-picture-overlay>
      {regions.map((region, at) => (
        <Region
          key={region.regionId}
          region={region}
          isChosen={at === chosen}
          onChosen={() => onChosen(at)}
          onRegion={(next) => onRegion(at, next)}
        />
      ))}
    </div>
  );
}

interface RegionProps {
  readonly region: AnalysisRegion;
  readonly isChosen: boolean;
  readonly onChosen: () => void;
  readonly onRegion: (region: AnalysisRegion) => void;
}

function Region({ region, isChosen, onChosen, onRegion }: RegionProps) {
  const { points, kind, regionName, colour } = region;
  const [first] = points;
  return (
    <div className={style.region} style={{ '--region': colour } as CSSProperties} data-chosen={isChosen || undefined}>
      <svg className={style.shape} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true" data-kind={kind}>
        <polygon points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      </svg>
      {kind === 'line' && <DirectionArrow region={region} />}
      {first !== undefined && (
        <span className={style.name} style={placed(first)} aria-hidden="true">
          {regionName}
        </span>
      )}
      {points.map((place, at) => (
        <Point key={at} at={at} place={place} region={region} onChosen={onChosen} onRegion={onRegion} />
      ))}
      {isChosen && kind !== 'line' && points.length < ANALYSIS_LIMITS.points && (
        <Sides region={region} onRegion={onRegion} />
      )}
    </div>
  );
}

interface PointProps extends Omit<RegionProps, 'isChosen'> {
  readonly at: number;
  readonly place: ScenePoint;
}

function Point({ at, place, region, onChosen, onRegion }: PointProps) {
  const t = useT();
  const move = (to: ScenePoint) => onRegion({ ...region, points: region.points.with(at, to) });
  const { onKeyDown, ...drag } = useDrag(place, move);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete') return onKeyDown(event);
    event.preventDefault();
    onRegion(withoutPoint(region, at));
  };
  return (
    <button
      type="button"
      className={style.point}
      style={placed(place)}
      aria-label={t('edge.point', { name: region.regionName, number: at + 1 })}
      onFocus={onChosen}
      {...drag}
      onKeyDown={onKey}
    />
  );
}

function Sides({ region, onRegion }: Pick<RegionProps, 'region' | 'onRegion'>) {
  const t = useT();
  const { points } = region;
  return points.map((from, at) => {
    const to = points[(at + 1) % points.length] ?? from;
    return (
      <button
        key={at}
        type="button"
        className={style.side}
        style={placed({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })}
        aria-label={t('edge.addPoint', { name: region.regionName, number: at + 1 })}
        onClick={() => onRegion(withPoint(region, at))}
      >
        +
      </button>
    );
  });
}

/** Of the pictures over which is drawn. */
const ASPECT = 16 / 9;

/** Across the line at its middle; `in` points to the right of the way from its first point to its second. */
function DirectionArrow({ region: { points, direction } }: { readonly region: AnalysisRegion }) {
  const [from, to] = points;
  if (from === undefined || to === undefined) return null;
  const along = Math.atan2(to.y - from.y, (to.x - from.x) * ASPECT);
  const turn = along + (direction === 'out' ? -Math.PI / 2 : Math.PI / 2);
  const Icon = direction === 'both' ? IconArrowsHorizontal : IconArrowRight;
  const middle = placed({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
  return (
    <span className={style.arrow} style={{ ...middle, transform: `rotate(${turn}rad)` }} data-direction={direction}>
      <Icon size={28} stroke={2.5} aria-hidden="true" />
    </span>
  );
}

function placed({ x, y }: ScenePoint): CSSProperties {
  return { left: `${x * 100}%`, top: `${y * 100}%` };
}
