// Drop targets of a dragged tree node: before another of the first level, or of the second under the same parent (WG-11).
import type { FlatTree } from './flat-tree.ts';

export function canDropBefore(tree: FlatTree, dragged: number, target: number): boolean {
  if (dragged === target || dragged < 0 || target < 0) return false;
  const level = tree.depth[dragged]!;
  if (level > 1 || tree.depth[target] !== level) return false;
  return tree.parent[dragged] === tree.parent[target];
}

/** A node never goes under itself, nor where it is already. */
export function canDropInto(tree: FlatTree, dragged: number, target: number): boolean {
  if (dragged < 0 || target < 0 || tree.parent[dragged] === target) return false;
  return target < dragged || target >= tree.end[dragged]!;
}

/** The neighbour that a node is put before when it is moved one place by key; −1: to the end; null: it can't move so. */
export function neighbourBefore(tree: FlatTree, index: number, step: 'up' | 'down'): number | null {
  const parent = tree.parent[index]!;
  const stop = parent < 0 ? tree.size : tree.end[parent]!;
  if (tree.depth[index]! > 1) return null;
  if (step === 'up') {
    let before: number | null = null;
    for (let at = parent + 1; at < index; at = tree.end[at]!) before = at;
    return before;
  }
  const next = tree.end[index]!;
  if (next >= stop) return null;
  const afterNext = tree.end[next]!;
  return afterNext >= stop ? -1 : afterNext;
}
