// The tour of this page's wall: its state, and the one driver behind it.
import { create } from 'zustand';
import { systemClock } from '@vedette/foundation/time/clock.ts';
import { useTileKinds } from '../tile/tile-kinds.ts';
import { coolWall, showContent, wallContent, warmContent, type WallState } from '../wall/wall-model.ts';
import { changeWallForNow, useWall } from '../wall/wall-store.ts';
import { type TourState, WallTour } from './wall-tour.ts';

export const useTour = create<TourState>(() => ({ kind: 'off' }));

/** Set while the tour itself changes the wall: any other change of what stands there ends it. */
let isTurning = false;

function turn(change: (wall: WallState) => WallState): void {
  isTurning = true;
  changeWallForNow(change);
  isTurning = false;
}

export const wallTour = new WallTour({
  clock: systemClock,
  show: (content) => turn((wall) => showContent(wall, content)),
  warm: (content) => turn((wall) => warmContent(wall, content)),
  cool: () => turn(coolWall),
  isReady: areWarmTilesReady,
  onState: (state) => useTour.setState(state, true),
});

function areWarmTilesReady(): boolean {
  const kinds = useTileKinds.getState();
  return (useWall.getState().warm?.cells ?? []).every((cell) => {
    const kind = kinds[cell];
    return kind !== undefined && kind !== 'idle' && kind !== 'connecting';
  });
}

/** Ends the tour when the user puts something else on the wall; the answer ends both. */
export function guardTour(): () => void {
  const stopListening = useWall.subscribe((wall, before) => {
    if (isTurning || useTour.getState().kind === 'off') return;
    if (JSON.stringify(wallContent(wall)) !== JSON.stringify(wallContent(before))) wallTour.stop();
  });
  return () => {
    stopListening();
    wallTour.stop();
  };
}
