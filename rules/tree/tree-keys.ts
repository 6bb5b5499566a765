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
  const { tree, rows, open, current, pageRows } = cursor;
  if (rows.length === 0) return null;
  const row = rowOf(rows, current);
  if (row < 0) return { current: rows[move === 'last' ? rows.length - 1 : 0]! };
  const at = (next: number): TreeStep => ({ current: rows[Math.min(Math.max(next, 0), rows.length - 1)]! });
  switch (move) {
    case 'next':
      return at(row + 1);
    case 'previous':
      return at(row - 1);
    case 'first':
      return at(0);
    case 'last':
      return at(rows.length - 1);
    case 'pageDown':
      return at(row + pageRows);
    case 'pageUp':
      return at(row - pageRows);
    case 'in':
      if (!isBranch(tree, current)) return null;
      return open[current] === 1 ? at(row + 1) : { current, isOpen: true };
    case 'out':
      if (isBranch(tree, current) && open[current] === 1) return { current, isOpen: false };
      return tree.parent[current]! < 0 ? null : { current: tree.parent[current]! };
  }
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
