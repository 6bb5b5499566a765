// The live wall of this page: its state, written through to the client state that survives a reload (UI-07, RT-14).
import { create } from 'zustand';
import { useClientState } from '../../session/client-state.ts';
import { restoreWall, serializeWall, type WallState } from './wall-model.ts';

function stored(): WallState {
  const { splitWindow, liveVideoList } = useClientState.getState();
  return restoreWall(splitWindow, liveVideoList);
}

export const useWall = create<WallState>(stored);

export function changeWall(change: (wall: WallState) => WallState): void {
  const next = change(useWall.getState());
  if (next === useWall.getState()) return;
  useWall.setState(next);
  useClientState.setState({ splitWindow: next.split, liveVideoList: serializeWall(next) });
}

export function select(cell: number): void {
  changeWall((wall) => (wall.selected === cell ? wall : { ...wall, selected: cell }));
}

/** Takes over what the client state holds now: after another account signed in it is empty. */
export function resumeWall(): void {
  const kept = JSON.stringify(serializeWall(useWall.getState()));
  const wanted = stored();
  if (kept !== JSON.stringify(serializeWall(wanted))) useWall.setState(wanted);
}
