// Which nodes of a flat tree are open, and which rows are therefore visible.
import { type FlatTree, isBranch } from './flat-tree.ts';

/** 1 where the node is open. Never changed in place: a new array per change, so that views can compare by identity. */
export type OpenFlags = Uint8Array;

export function openTo(tree: FlatTree, levels: number): OpenFlags {
  const open = new Uint8Array(tree.size);
  for (let index = 0; index < tree.size; index += 1)
    if (tree.depth[index]! < levels && tree.nodes[index]?.keepClose !== true) open[index] = 1;
  return open;
}

export function setOpen(open: OpenFlags, index: number, isOpen: boolean): OpenFlags {
  const next = open.slice();
  next[index] = isOpen ? 1 : 0;
  return next;
}

/** Opens every branch below the node (−1: of the whole tree); a node with `keepClose` stays as it is. */
export function expandAll(tree: FlatTree, open: OpenFlags, index = -1): OpenFlags {
  const next = open.slice();
  const stop = index < 0 ? tree.size : tree.end[index]!;
  for (let at = Math.max(index, 0); at < stop; at += 1)
    if (isBranch(tree, at) && tree.nodes[at]?.keepClose !== true) next[at] = 1;
  return next;
}

export function collapseAll(tree: FlatTree, open: OpenFlags, index = -1): OpenFlags {
  const next = open.slice();
  next.fill(0, Math.max(index, 0), index < 0 ? tree.size : tree.end[index]!);
  return next;
}

/** Opens the ancestors of a node, so that it can be seen. */
export function reveal(tree: FlatTree, open: OpenFlags, index: number): OpenFlags {
  const next = open.slice();
  for (let at = tree.parent[index]!; at >= 0; at = tree.parent[at]!) next[at] = 1;
  return next;
}

/** Open flags carried over to a rebuilt tree by node id; new nodes are open above `levels`. */
export function carryOpen(from: FlatTree, open: OpenFlags, to: FlatTree, levels: number): OpenFlags {
  const next = openTo(to, levels);
  for (let index = 0; index < to.size; index += 1) {
    const before = from.indexById.get(to.nodes[index]!.id);
    if (before !== undefined) next[index] = open[before]!;
  }
  return next;
}

/** Indexes of the rows on screen, in order: one pass that jumps over closed subtrees and over what `shown` hides. */
export function visibleRows(tree: FlatTree, open: OpenFlags, shown?: Uint8Array): Int32Array {
  const rows = new Int32Array(tree.size);
  let count = 0;
  let at = 0;
  while (at < tree.size) {
    if (shown !== undefined && shown[at] === 0) {
      at = tree.end[at]!;
      continue;
    }
    rows[count] = at;
    count += 1;
    at = open[at] === 1 ? at + 1 : tree.end[at]!;
  }
  return rows.subarray(0, count);
}
