// Check states of a flat tree with the specification's linkage: checkStrictly, and the Y and N strings of p and s (WG-08).
import type { FlatTree } from './flat-tree.ts';

export const CHECK = { unchecked: 0, checked: 1, indeterminate: 2 } as const;
export type CheckState = (typeof CHECK)[keyof typeof CHECK];

export interface Linkage {
  /** True: no node follows another, whatever the strings say. */
  readonly checkStrictly: boolean;
  /** On check: `p` parents follow, `s` children follow. */
  readonly Y: string;
  /** On uncheck, likewise. */
  readonly N: string;
}
export const FULL_LINKAGE: Linkage = { checkStrictly: false, Y: 'ps', N: 'ps' };

export interface CheckChange {
  readonly index: number;
  readonly isChecked: boolean;
  readonly linkage?: Linkage | undefined;
}

/** One CheckState per node. Changed in place by `setChecked`. */
export type CheckStates = Uint8Array;

export function initialChecks(tree: FlatTree): CheckStates {
  return Uint8Array.from(tree.nodes, (node) =>
    node.nochecked === true
      ? CHECK.unchecked
      : node.iniChecked === true
        ? CHECK.checked
        : node.iniIndeterminate === true
          ? CHECK.indeterminate
          : CHECK.unchecked,
  );
}

function isFixed(tree: FlatTree, index: number): boolean {
  const node = tree.nodes[index]!;
  return node.disabled === true || node.nochecked === true;
}

/** A leaf without a check box says nothing about its parent. */
function counts(tree: FlatTree, index: number): boolean {
  return tree.nodes[index]!.nochecked !== true || tree.end[index]! > index + 1;
}

/** State that the children give; the node's own where none of them counts. */
function stateFromChildren(tree: FlatTree, states: CheckStates, index: number): CheckState {
  let all = true;
  let some = false;
  let any = false;
  for (let child = index + 1; child < tree.end[index]!; child = tree.end[child]!) {
    if (!counts(tree, child)) continue;
    any = true;
    const state = states[child];
    if (state !== CHECK.checked) all = false;
    if (state !== CHECK.unchecked) some = true;
  }
  if (!any) return states[index] as CheckState;
  if (all) return CHECK.checked;
  return some ? CHECK.indeterminate : CHECK.unchecked;
}

/**
 * Checks or unchecks one node and whatever the linkage takes along; a node that is disabled or has no check box is left
 * alone, by itself and as somebody's child. Returns false where nothing could change.
 */
export function setChecked(
  tree: FlatTree,
  states: CheckStates,
  { index, isChecked, linkage = FULL_LINKAGE }: CheckChange,
): boolean {
  if (isFixed(tree, index)) return false;
  const word = linkage.checkStrictly ? '' : isChecked ? linkage.Y : linkage.N;
  const state = isChecked ? CHECK.checked : CHECK.unchecked;
  states[index] = state;
  const follows = { parents: word.includes('p'), children: word.includes('s') };
  const hasFixed = follows.children && fillBelow(tree, states, index);
  if (!follows.parents) return true;
  if (hasFixed) sumUpBelow(tree, states, index);
  for (let at = tree.parent[index]!; at >= 0; at = tree.parent[at]!) states[at] = stateFromChildren(tree, states, at);
  return true;
}

/** Gives all descendants the state of the node. True where some of them are fixed and kept theirs. */
function fillBelow(tree: FlatTree, states: CheckStates, index: number): boolean {
  const state = states[index]!;
  let hasFixed = false;
  for (let at = index + 1; at < tree.end[index]!; at += 1) {
    if (isFixed(tree, at)) hasFixed = true;
    else states[at] = state;
  }
  return hasFixed;
}

/** The node and its descendants from the bottom up, which in pre-order is backwards. */
function sumUpBelow(tree: FlatTree, states: CheckStates, index: number): void {
  for (let at = tree.end[index]! - 1; at >= index; at -= 1)
    if (tree.end[at]! > at + 1) states[at] = stateFromChildren(tree, states, at);
}

/** Indexes of the checked nodes that have a check box. */
export function checkedIndexes(tree: FlatTree, states: CheckStates): number[] {
  const found: number[] = [];
  for (let index = 0; index < tree.size; index += 1)
    if (states[index] === CHECK.checked && tree.nodes[index]!.nochecked !== true) found.push(index);
  return found;
}
