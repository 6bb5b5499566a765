// Where the windows of each wall stand: even grids, and one large window with small ones beside and below it. Pure.
import type { WallSplit } from '@vedette/contract/limits.ts';

/** A window on the grid, from 0; as high as wide. */
export interface GridPlace {
  readonly column: number;
  readonly row: number;
  readonly span: number;
}

export interface WallGrid {
  /** Also the number of rows. */
  readonly columns: number;
  /** In reading order: position on the wall → place on the grid. */
  readonly places: readonly GridPlace[];
}

/** Columns of the walls whose first window is large; it leaves one column and one row to the others. */
const WITH_LARGE: Readonly<Partial<Record<WallSplit, number>>> = { 6: 3, 8: 4 };

export function wallGrid(split: WallSplit): WallGrid {
  const known = GRIDS.get(split);
  if (known) return known;
  const columns = WITH_LARGE[split] ?? Math.sqrt(split);
  const large = WITH_LARGE[split] === undefined ? 1 : columns - 1;
  const places: GridPlace[] = [];
  for (let row = 0; row < columns; row++) {
    for (let column = 0; column < columns; column++) {
      if (row === 0 && column === 0) places.push({ column, row, span: large });
      else if (row >= large || column >= large) places.push({ column, row, span: 1 });
    }
  }
  const grid = { columns, places };
  GRIDS.set(split, grid);
  return grid;
}

const GRIDS = new Map<WallSplit, WallGrid>();

export type WallDirection = 'left' | 'right' | 'up' | 'down';

/** The position beside `from`; `from` itself at an edge. */
export function neighbour(split: WallSplit, from: number, direction: WallDirection): number {
  const { places } = wallGrid(split);
  const place = places[from];
  if (place === undefined) return from;
  const { column, row, span } = place;
  const [wantedColumn, wantedRow] = {
    left: [column - 1, row],
    right: [column + span, row],
    up: [column, row - 1],
    down: [column, row + span],
  }[direction] as [number, number];
  const found = places.findIndex(
    (one) =>
      wantedColumn >= one.column &&
      wantedColumn < one.column + one.span &&
      wantedRow >= one.row &&
      wantedRow < one.row + one.span,
  );
  return found < 0 ? from : found;
}
