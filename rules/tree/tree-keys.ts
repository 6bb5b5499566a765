// What the arrow keys, Home, End and typing do in a tree (WAI-ARIA tree pattern), on visible rows.
import { type FlatTree, isBranch } from './flat-tree.ts';

export type TreeMove = 'next' | 'previous' | 'first' | 'last' | 'in' | 'out' | 'pageDown' | 'pageUp';

export interface TreeStep {
  /** Index of the node that becomes current. */
  readonly current: number;
  /** Set where the move opens or closes the current node instead of leaving it. */
  readonly isOpen?: boolean;
}

export interface TreeCursor {
  readonly tree: FlatTree;
  readonly rows: Int32Array;
  readonly open: Uint8Array;
  /** −1 while no row is current. */
  readonly current: number;
  readonly pageRows: number;
}

function rowOf(rows: Int32Array, index: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = rows[middle]!;
    if (value === index) return middle;
    if (value < index) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Row number of a node among the visible rows, −1 where it is not visible. */
export const visibleRowOf = rowOf;

/** Null where there is nothing to move to. */
export function moveInTree(cursor: TreeCursor, move: TreeMove): TreeStep | null {
  const { rows, current, pageRows } = cursor;
  if (rows.length === 0) return null;
  const row = rowOf(rows, current);
  if (row < 0) return { current: rows[move === 'last' ? rows.length - 1 : 0]! };
  if (move === 'in') return stepInto(cursor, row);
  if (move === 'out') return stepOut(cursor);
  const targets = {
    next: row + 1,
    previous: row - 1,
    first: 0,
    last: rows.length - 1,
    pageDown: row + pageRows,
    pageUp: row - pageRows,
  };
  return stepTo(rows, targets[move]);
}

/** A row beyond the ends is the first or the last one. */
function stepTo(rows: Int32Array, row: number): TreeStep {
  return { current: rows[Math.min(Math.max(row, 0), rows.length - 1)]! };
}

/** Opens a closed branch; from an open one leads to its first child. */
function stepInto({ tree, rows, open, current }: TreeCursor, row: number): TreeStep | null {
  if (!isBranch(tree, current)) return null;
  return open[current] === 1 ? stepTo(rows, row + 1) : { current, isOpen: true };
}

/** Closes an open branch; from anything else leads to the parent. */
function stepOut({ tree, open, current }: TreeCursor): TreeStep | null {
  if (isBranch(tree, current) && open[current] === 1) return { current, isOpen: false };
  const parent = tree.parent[current]!;
  return parent < 0 ? null : { current: parent };
}

/**
 * Type-ahead: the next visible row, after the current one and round again, whose text starts with what was typed.
 * While the typed text grows the current row stays a candidate; a single letter moves on to the next one.
 */
export function typeAhead(cursor: TreeCursor, texts: readonly string[], typed: string): number {
  const { rows, current } = cursor;
  const wanted = typed.toLowerCase();
  if (wanted === '' || rows.length === 0) return -1;
  const start = rowOf(rows, current) + (wanted.length === 1 ? 1 : 0);
  for (let step = 0; step < rows.length; step += 1) {
    const index = rows[(Math.max(start, 0) + step) % rows.length]!;
    if ((texts[index] ?? '').startsWith(wanted)) return index;
  }
  return -1;
}
