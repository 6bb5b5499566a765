// The live wall of this page: its state, written through to its storage.
import { create } from 'zustand';
import { pageKeeper, type WallKeeper } from './wall-keeper.ts';
import { serializeWall, type WallState } from './wall-model.ts';

let keeper: WallKeeper = pageKeeper;

export const useWall = create<WallState>(() => keeper.read());

export function changeWall(change: (wall: WallState) => WallState): void {
  const next = change(useWall.getState());
  if (next === useWall.getState()) return;
  useWall.setState(next);
  keeper.write(next);
}

export function select(cell: number): void {
  changeWall((wall) => (wall.selected === cell ? wall : { ...wall, selected: cell }));
}

/** Takes over what is kept there now: after another account signed in it is another wall, or none. */
export function resumeWall(from: WallKeeper): void {
  keeper = from;
  const kept = useWall.getState();
  const wanted = keeper.read();
  const isSame =
    kept.split === wanted.split && JSON.stringify(serializeWall(kept)) === JSON.stringify(serializeWall(wanted));
  if (!isSame) useWall.setState(wanted);
}
