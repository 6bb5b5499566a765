// The area of a camera's picture that is searched, drawn as zones of tasks are; the search follows when it rests.
import type { ScenePoint } from '@vedette/contract/site/site-analysis.ts';
import { cameraOfKey } from '@vedette/rules/camera-key.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { LiveView } from '../../features/device-config/live-view.tsx';
import { useT } from '../../language/use-t.ts';
import { RegionOverlay } from './region-overlay.tsx';
import style from './sighting-search.module.css';
import { withRegion } from './task-draft.ts';

export interface SearchedAreaProps {
  /** A `cameraKey`. */
  readonly camera: string;
  readonly onZone: (zone: readonly ScenePoint[]) => void;
}

/** While it is drawn nothing is asked. */
const REST_MS = 400;

export function SearchedArea({ camera, onZone }: SearchedAreaProps) {
  const t = useT();
  const [regions, setRegions] = useState(() => withRegion([], 'zone', t('edge.search.area')));
  const points = regions[0]?.points;
  const tell = useEffectEvent(onZone);
  useEffect(() => {
    const timer = setTimeout(() => points !== undefined && tell(points), REST_MS);
    return () => clearTimeout(timer);
  }, [points]);
  return (
    <div className={style.area}>
      <LiveView {...cameraOfKey(camera)} label={t('edge.search.areaPicture')}>
        <RegionOverlay
          regions={regions}
          chosen={0}
          onChosen={() => undefined}
          onRegion={(at, region) => setRegions(regions.with(at, region))}
        />
      </LiveView>
    </div>
  );
}
