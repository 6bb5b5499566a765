// Beside a floor plan that is edited: the cameras to be dragged onto it, or placed by a key.
import type { FloorPlanCamera } from '@vedette/contract/calls/floor-plan.ts';
import { useMemo } from 'react';
import { channelKey, channelOf } from '../../features/resource-tree/resource-node.ts';
import { ResourceTree } from '../../features/resource-tree/resource-tree.tsx';
import { useT } from '../../language/use-t.ts';
import type { ChannelPlace } from '../../navigation/paths.ts';
import style from './floor-plans-screen.module.css';

export interface PlanTreeProps {
  readonly cameras: readonly FloorPlanCamera[];
  readonly onPlace: (channel: ChannelPlace) => void;
}

export function PlanTree({ cameras, onPlace }: PlanTreeProps) {
  const t = useT();
  const placed = useMemo(
    () => new Set(cameras.map(({ deviceSerial, channelNo }) => channelKey(deviceSerial, channelNo))),
    [cameras],
  );
  return (
    <>
      <div className={style.sideHead}>
        <h1>{t('screen.floorPlans')}</h1>
      </div>
      <p className={style.hint}>{t('plans.editHint')}</p>
      <div className={style.tree}>
        <ResourceTree
          isDraggable
          selectedKeys={placed}
          onActivate={(node) => {
            const channel = channelOf(node);
            if (channel !== null) onPlace(channel);
          }}
        />
      </div>
    </>
  );
}
