// The tree as pre-order typed arrays: 100,000 nodes without one object per node beside the caller's own.
import type { TreeNode } from './tree-node.ts';

export interface FlatTree<N extends TreeNode = TreeNode> {
  readonly size: number;
  /** Nodes in pre-order: a node stands before its children, the children before the next sibling. */
  readonly nodes: readonly N[];
  /** Index of the parent, −1 for a first-level node. */
  readonly parent: Int32Array;
  /** 0 for a first-level node. */
  readonly depth: Uint16Array;
  /** One past the last index of the node's subtree. */
  readonly end: Int32Array;
  readonly indexById: ReadonlyMap<string, number>;
}

/** Flattens without recursion, so that depth is bounded by memory alone. On a repeated id the first node keeps it. */
export function flatTree<N extends TreeNode & { readonly children?: readonly N[] }>(roots: readonly N[]): FlatTree<N> {
  const nodes: N[] = [];
  const parents: number[] = [];
  const depths: number[] = [];
  const indexById = new Map<string, number>();
  const stack: { siblings: readonly N[]; next: number; parent: number; depth: number }[] = [
    { siblings: roots, next: 0, parent: -1, depth: 0 },
  ];
  const ends: number[] = [];
  while (stack.length > 0) {
    const level = stack[stack.length - 1]!;
    const node = level.siblings[level.next];
    if (node === undefined) {
      stack.pop();
      if (level.parent >= 0) ends[level.parent] = nodes.length;
      continue;
    }
    level.next += 1;
    const index = nodes.length;
    nodes.push(node);
    parents.push(level.parent);
    depths.push(level.depth);
    ends.push(index + 1);
    if (!indexById.has(node.id)) indexById.set(node.id, index);
    if (node.children !== undefined && node.children.length > 0)
      stack.push({ siblings: node.children, next: 0, parent: index, depth: level.depth + 1 });
  }
  return {
    size: nodes.length,
    nodes,
    parent: Int32Array.from(parents),
    depth: Uint16Array.from(depths),
    end: Int32Array.from(ends),
    indexById,
  };
}

/** True where the node has, or will have once fetched, something below it. */
export function isBranch(tree: FlatTree, index: number): boolean {
  return tree.end[index]! > index + 1 || tree.nodes[index]?.lazy === true;
}

export interface SiblingPosition {
  /** 1-based among its siblings (aria-posinset). */
  readonly position: number;
  /** How many siblings there are, itself included (aria-setsize). */
  readonly count: number;
}

/** Place of a node among its siblings; `shown` leaves out those that a search hides. */
export function siblingPosition(tree: FlatTree, index: number, shown?: Uint8Array): SiblingPosition {
  const parent = tree.parent[index]!;
  const stop = parent < 0 ? tree.size : tree.end[parent]!;
  let count = 0;
  let position = 0;
  for (let at = parent + 1; at < stop; at = tree.end[at]!) {
    if (shown !== undefined && shown[at] === 0) continue;
    count += 1;
    if (at === index) position = count;
  }
  return { position, count };
}
