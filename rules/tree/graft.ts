// Inserts lazily loaded children under a node of a flat tree: arrays are copied once, nothing is flattened again.
import { type FlatTree, flatTree } from './flat-tree.ts';
import type { TreeNode } from './tree-node.ts';

/** New nodes stand after the children that the node has already; `shift` tells where a node of before stands now. */
export interface Grafted<N extends TreeNode> {
  readonly tree: FlatTree<N>;
  /** First index of the new nodes, and how many there are. */
  readonly at: number;
  readonly count: number;
}

export function graft<N extends TreeNode & { readonly children?: readonly N[] }>(
  tree: FlatTree<N>,
  index: number,
  children: readonly N[],
): Grafted<N> {
  const twig = flatTree(children);
  const at = tree.end[index]!;
  const count = twig.size;
  const nodes = [...tree.nodes.slice(0, at), ...twig.nodes, ...tree.nodes.slice(at)];
  const size = nodes.length;
  const parent = new Int32Array(size);
  const depth = new Uint16Array(size);
  const end = new Int32Array(size);
  for (let old = 0; old < tree.size; old += 1) {
    const now = old < at ? old : old + count;
    const above = tree.parent[old]!;
    parent[now] = above < at ? above : above + count;
    depth[now] = tree.depth[old]!;
    // A subtree that ends behind the graft ends later now; so do the node itself and all above it.
    const stop = tree.end[old]!;
    end[now] = stop > at || isAboveOrSelf(tree, old, index) ? stop + count : stop;
  }
  const level = tree.depth[index]! + 1;
  for (let one = 0; one < count; one += 1) {
    const above = twig.parent[one]!;
    parent[at + one] = above < 0 ? index : at + above;
    depth[at + one] = twig.depth[one]! + level;
    end[at + one] = twig.end[one]! + at;
  }
  const indexById = new Map<string, number>();
  for (let now = 0; now < size; now += 1) if (!indexById.has(nodes[now]!.id)) indexById.set(nodes[now]!.id, now);
  return { tree: { size, nodes, parent, depth, end, indexById }, at, count };
}

function isAboveOrSelf(tree: FlatTree, above: number, index: number): boolean {
  return above <= index && index < tree.end[above]!;
}

/** Flags of the old nodes, with `fill` for the new ones. */
export function graftFlags(flags: Uint8Array, { at, count }: Pick<Grafted<TreeNode>, 'at' | 'count'>, fill = 0) {
  const next = new Uint8Array(flags.length + count).fill(fill, at, at + count);
  next.set(flags.subarray(0, at), 0);
  next.set(flags.subarray(at), at + count);
  return next;
}
