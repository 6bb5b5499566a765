// The live wall of this page: its state, written through to its storage.
import { create } from 'zustand';
import { pageStorage, type WallStorage } from './wall-storage.ts';
import { serializeWall, type WallState } from './wall-model.ts';

let storage: WallStorage = pageStorage;

export const useWall = create<WallState>(() => storage.read());

export function changeWall(change: (wall: WallState) => WallState): void {
  const next = change(useWall.getState());
  if (next === useWall.getState()) return;
  useWall.setState(next);
  storage.write(next);
}

export function select(cell: number): void {
  changeWall((wall) => (wall.selected === cell ? wall : { ...wall, selected: cell }));
}

/** Takes over what is kept there now: after another account signed in it is another wall, or none. */
export function resumeWall(from: WallStorage): void {
  storage = from;
  const kept = useWall.getState();
  const wanted = storage.read();
  const isSame =
    kept.split === wanted.split && JSON.stringify(serializeWall(kept)) === JSON.stringify(serializeWall(wanted));
  if (!isSame) useWall.setState(wanted);
}
