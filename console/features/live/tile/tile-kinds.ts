// The state of every tile of the wall, for those who mark channels that play.
import type { TileState } from '@vedette/player/live/tile-state.ts';
import { create } from 'zustand';

/** State by cell; a cell without tile is absent. */
export const useTileKinds = create<Readonly<Record<number, TileState['kind']>>>(() => ({}));

export function publishTileKind(cell: number, kind: TileState['kind'] | null): void {
  const { [cell]: _before, ...others } = useTileKinds.getState();
  useTileKinds.setState(kind === null ? others : { ...others, [cell]: kind }, true);
}
