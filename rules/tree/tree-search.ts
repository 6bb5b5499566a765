// Search in a flat tree: matches, and the nodes to show and open for them.
import type { FlatTree } from './flat-tree.ts';
import type { TreeNode } from './tree-node.ts';

export interface TreeSearch {
  readonly total: number;
  /** 1 where the node itself matches. */
  readonly matched: Uint8Array;
  /** 1 where the node matches, is above a match, or is below one. */
  readonly shown: Uint8Array;
  /** 1 where the node is above a match. */
  readonly open: Uint8Array;
}

/** Lower-cased texts of a tree, made once per tree. */
export function searchTexts<N extends TreeNode>(tree: FlatTree<N>, textOf: (node: N) => string): readonly string[] {
  return tree.nodes.map((node) => textOf(node).toLowerCase());
}

/** Null for a blank key word: nothing is searched, everything is shown. Every word of the key must occur. */
export function searchTree(tree: FlatTree, texts: readonly string[], keyWord: string): TreeSearch | null {
  const words = keyWord.toLowerCase().split(/\s+/u).filter(Boolean);
  if (words.length === 0) return null;
  const matched = new Uint8Array(tree.size);
  const shown = new Uint8Array(tree.size);
  const open = new Uint8Array(tree.size);
  let total = 0;
  for (let index = 0; index < tree.size; index += 1) {
    const text = texts[index] ?? '';
    if (!words.every((word) => text.includes(word))) continue;
    total += 1;
    matched[index] = 1;
    shown.fill(1, index, tree.end[index]);
    // An ancestor that is open already has its own ancestors open.
    for (let at = tree.parent[index]!; at >= 0 && open[at] === 0; at = tree.parent[at]!) {
      open[at] = 1;
      shown[at] = 1;
    }
  }
  return { total, matched, shown, open };
}

/** How well a text answers the key word, lower is better: the whole text, its beginning, the beginning of a word, anywhere. */
export function rankOf(text: string, keyWord: string): number {
  if (text === keyWord) return 0;
  if (text.startsWith(keyWord)) return 1;
  return text.includes(` ${keyWord}`) ? 2 : 3;
}

/** The match to open by Enter: leaves before branches, then the better answer, then the order of the tree; -1 without any. */
export function bestMatch(tree: FlatTree, texts: readonly string[], keyWord: string): number {
  const matched = searchTree(tree, texts, keyWord)?.matched;
  const wanted = keyWord.trim().toLowerCase();
  let best = -1;
  let bestRank = Number.POSITIVE_INFINITY;
  for (let index = 0; index < tree.size; index += 1) {
    if (matched?.[index] !== 1) continue;
    const isLeaf = tree.end[index] === index + 1;
    const rank = rankOf(texts[index] ?? '', wanted) + (isLeaf ? 0 : 4);
    if (rank < bestRank) [best, bestRank] = [index, rank];
  }
  return best;
}
