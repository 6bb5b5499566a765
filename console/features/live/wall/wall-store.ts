// The live wall of this page: its state, written through to its storage.
import { create } from 'zustand';
import { pageStorage, type WallStorage } from './wall-storage.ts';
import { EMPTY_HISTORY, type HistoryStep, recordChange, redoStep, undoStep, type WallHistory } from './wall-history.ts';
import { serializeWall, showContent, type WallState } from './wall-model.ts';

let storage: WallStorage = pageStorage;

export const useWall = create<WallState>(() => storage.read());

export const useWallHistory = create<WallHistory>(() => EMPTY_HISTORY);

/** Cells by when a person last did something with them, the latest last. */
let touched: readonly number[] = [];

export function touchedCells(): readonly number[] {
  return touched;
}

function touch(cells: readonly number[]): void {
  touched = [...touched.filter((cell) => !cells.includes(cell)), ...cells];
}

/** A change by a person: it can be undone. */
export function changeWall(change: (wall: WallState) => WallState): void {
  const before = useWall.getState();
  changeWallForNow(change);
  const { cells, selected } = useWall.getState();
  touch([...cells.flatMap((channel, cell) => (channel === before.cells[cell] ? [] : [cell])), selected]);
  useWallHistory.setState((history) => recordChange(history, before, useWall.getState()));
}

/** A change that no undo brings back, such as the pages of a tour. */
export function changeWallForNow(change: (wall: WallState) => WallState): void {
  const next = change(useWall.getState());
  if (next === useWall.getState()) return;
  useWall.setState(next);
  storage.write(next);
}

export function undoWall(): void {
  showStep(undoStep(useWallHistory.getState(), useWall.getState()));
}

export function redoWall(): void {
  showStep(redoStep(useWallHistory.getState(), useWall.getState()));
}

function showStep(step: HistoryStep | null): void {
  if (step === null) return;
  useWallHistory.setState(step.history);
  changeWallForNow((wall) => showContent(wall, step.content));
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
  if (isSame) return;
  useWall.setState(wanted);
  useWallHistory.setState(EMPTY_HISTORY);
  touched = [];
}
