// The tree beside the wall: what plays is marked, what is chosen goes to the next free window.
import { useMemo } from 'react';
import { useTileKinds } from '../../features/live/tile/tile-kinds.ts';
import { fill, placeNext, shownCells, type WallState } from '../../features/live/wall/wall-model.ts';
import { changeWall, useWall } from '../../features/live/wall/wall-store.ts';
import { channelKey, channelOf, channelsOf, type ResourceNode } from '../../features/resource-tree/resource-node.ts';
import { ResourceTree } from '../../features/resource-tree/resource-tree.tsx';

export interface WallTreeProps {
  /** Something goes to the wall. */
  readonly onChosen?: () => void;
}

export function WallTree({ onChosen }: WallTreeProps) {
  const wall = useWall();
  const keys = useTileKinds((kinds) => liveKeys(wall, kinds));
  const playingKeys = useMemo(() => new Set(keys.split(' ')), [keys]);
  const selectedKey = useWall((wall) => {
    const channel = wall.cells[wall.selected];
    return channel ? channelKey(channel.deviceSerial, channel.channelNo) : '';
  });
  const selectedKeys = useMemo(() => new Set([selectedKey]), [selectedKey]);
  const onActivate = (node: ResourceNode): void => {
    const channel = channelOf(node);
    if (channel === null) return;
    changeWall((wall) => placeNext(wall, channel));
    onChosen?.();
  };
  return (
    <ResourceTree
      onActivate={onActivate}
      onActivateAll={(node) => {
        changeWall((wall) => fill(wall, channelsOf(node)));
        onChosen?.();
      }}
      playingKeys={playingKeys}
      selectedKeys={selectedKeys}
      isDraggable
    />
  );
}

/** Keys of the channels whose picture is on screen, as one text so that equal answers are equal. */
function liveKeys(wall: WallState, kinds: Readonly<Record<number, string>>): string {
  return shownCells(wall)
    .flatMap((cell) => {
      const channel = wall.cells[cell];
      return channel && kinds[cell] === 'live' ? [channelKey(channel.deviceSerial, channel.channelNo)] : [];
    })
    .join(' ');
}
