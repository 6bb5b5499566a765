// The first wall of a new installation: seen empty before any camera existed, it is filled once there are some.
import { WALL_SPLITS, type WallSplit } from '@vedette/contract/limits.ts';
import { useEffect } from 'react';
import { useChannelFacts } from '../../features/live/channel/channel-facts.ts';
import { fill, setSplit, type WallChannel, wallContent } from '../../features/live/wall/wall-model.ts';
import { changeWall, useWall } from '../../features/live/wall/wall-store.ts';

/** Kept for this tab: the cameras are added on another screen. */
const STORAGE_KEY = 'vedette.live.isFirstWall';
/** More windows than this are no beginning. */
const MOST_WINDOWS = 16;

function splitFor(count: number): WallSplit {
  const even = WALL_SPLITS.filter((split) => Number.isInteger(Math.sqrt(split)) && split <= MOST_WINDOWS);
  return even.find((split) => split >= count) ?? MOST_WINDOWS;
}

export function useFirstWall(online: readonly WallChannel[]): void {
  const hasNoCameras = useChannelFacts(({ isLoaded, byKey }) => isLoaded && byKey.size === 0);
  useEffect(() => {
    if (hasNoCameras) sessionStorage.setItem(STORAGE_KEY, 'yes');
  }, [hasNoCameras]);
  useEffect(() => {
    if (online.length === 0 || sessionStorage.getItem(STORAGE_KEY) === null) return;
    sessionStorage.removeItem(STORAGE_KEY);
    if (wallContent(useWall.getState()).tiles.length > 0) return;
    changeWall((wall) => fill(setSplit(wall, splitFor(online.length)), online));
  }, [online]);
}
