// Nodes that a user opened and closed, by id, kept over a rebuilt tree and shared by several trees.
import { type FlatTree, isBranch } from './flat-tree.ts';
import type { OpenFlags } from './expansion.ts';

export type OpenChoices = Readonly<Record<string, boolean>>;

export function carryOpenByKeys(
  tree: FlatTree,
  choices: OpenChoices,
  isOpenAtFirst: (index: number) => boolean,
): OpenFlags {
  const open = new Uint8Array(tree.size);
  for (let index = 0; index < tree.size; index += 1)
    if (isBranch(tree, index) && (choices[tree.nodes[index]!.id] ?? isOpenAtFirst(index))) open[index] = 1;
  return open;
}
