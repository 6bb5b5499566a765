// A naive object tree with the same behaviour as the flat one: the reference of the property tests.
import fc from 'fast-check';
import { CHECK, type CheckState, type Linkage } from './tree-check.ts';
import type { TreeNode } from './tree-node.ts';

export interface NaiveNode {
  readonly node: TreeNode;
  readonly parent: NaiveNode | null;
  readonly children: NaiveNode[];
  isOpen: boolean;
  state: CheckState;
}

export function naiveTree(roots: readonly TreeNode[], parent: NaiveNode | null = null): NaiveNode[] {
  return roots.map((node) => {
    const state =
      node.nochecked === true
        ? CHECK.unchecked
        : node.iniChecked === true
          ? CHECK.checked
          : node.iniIndeterminate === true
            ? CHECK.indeterminate
            : CHECK.unchecked;
    const made: NaiveNode = { node, parent, children: [], isOpen: false, state };
    made.children.push(...naiveTree(node.children ?? [], made));
    return made;
  });
}

export function everyNode(roots: readonly NaiveNode[]): NaiveNode[] {
  return roots.flatMap((root) => [root, ...everyNode(root.children)]);
}

export function naiveRows(roots: readonly NaiveNode[]): NaiveNode[] {
  return roots.flatMap((root) => [root, ...(root.isOpen ? naiveRows(root.children) : [])]);
}

const isFixed = ({ node }: NaiveNode): boolean => node.disabled === true || node.nochecked === true;
const counts = (one: NaiveNode): boolean => one.node.nochecked !== true || one.children.length > 0;

function sumUp(one: NaiveNode): void {
  const counted = one.children.filter(counts);
  if (counted.length === 0) return;
  if (counted.every((child) => child.state === CHECK.checked)) one.state = CHECK.checked;
  else one.state = counted.some((child) => child.state !== CHECK.unchecked) ? CHECK.indeterminate : CHECK.unchecked;
}

function wordOf({ checkStrictly, Y, N }: Linkage, isChecked: boolean): string {
  if (checkStrictly) return '';
  return isChecked ? Y : N;
}

export function naiveCheck(one: NaiveNode, isChecked: boolean, linkage: Linkage): void {
  if (isFixed(one)) return;
  const word = wordOf(linkage, isChecked);
  const state = isChecked ? CHECK.checked : CHECK.unchecked;
  one.state = state;
  const below = word.includes('s') ? everyNode(one.children) : [];
  for (const each of below) if (!isFixed(each)) each.state = state;
  if (!word.includes('p')) return;
  // Bottom up, so that a parent sees the final states of its children.
  const branches = below.some(isFixed) ? [one, ...below].filter((each) => each.children.length > 0) : [];
  for (const each of branches.reverse()) sumUp(each);
  for (let at = one.parent; at !== null; at = at.parent) sumUp(at);
}

const leaf: fc.Arbitrary<TreeNode> = fc.record(
  {
    id: fc.constant(''),
    name: fc.constantFrom('Gate', 'Lobby', 'Roof', '大厅', 'Gate 2'),
    disabled: fc.boolean(),
    nochecked: fc.constantFrom(false, false, false, true),
    iniChecked: fc.boolean(),
    lazy: fc.boolean(),
  },
  { requiredKeys: ['id', 'name'] },
);

function branch(child: fc.Arbitrary<TreeNode>): fc.Arbitrary<TreeNode> {
  return fc.record({
    id: fc.constant(''),
    name: fc.constantFrom('Campus', 'Depot', 'North', '园区'),
    disabled: fc.constantFrom(false, false, false, true),
    nochecked: fc.constantFrom(false, false, false, true),
    keepClose: fc.boolean(),
    children: fc.array(child, { maxLength: 4 }),
  });
}

const twoLevels = branch(fc.oneof(leaf, branch(leaf)));
/** Trees of up to four levels with all kinds of nodes. */
export const anyTree: fc.Arbitrary<readonly TreeNode[]> = fc
  .array(fc.oneof(leaf, twoLevels, branch(fc.oneof(leaf, twoLevels))), { maxLength: 4 })
  .map((roots) => withIds(roots));

export function withIds(roots: readonly TreeNode[], prefix = 'n'): readonly TreeNode[] {
  return roots.map((node, at) => {
    const id = `${prefix}.${at}`;
    const { children, ...rest } = node;
    return children === undefined ? { ...rest, id } : { ...rest, id, children: withIds(children, id) };
  });
}
