// Lazily loaded children, their pages, and drop targets.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flatTree } from './flat-tree.ts';
import { graft, graftFlags } from './graft.ts';
import { isNearEnd, nextChildren } from './lazy-children.ts';
import { anyTree, withIds } from './naive-tree.fake.ts';
import { canDropBefore, canDropInto, neighbourBefore } from './tree-drag.ts';
import type { TreeNode } from './tree-node.ts';

function withMore(roots: readonly TreeNode[], id: string, more: readonly TreeNode[]): readonly TreeNode[] {
  return roots.map((node) => {
    const children = node.children === undefined ? undefined : withMore(node.children, id, more);
    if (node.id === id) return { ...node, children: [...(children ?? []), ...more] };
    return children === undefined ? node : { ...node, children };
  });
}
const shape = (tree: ReturnType<typeof flatTree>) => ({
  ids: tree.nodes.map((node) => node.id),
  parent: [...tree.parent],
  depth: [...tree.depth],
  end: [...tree.end],
  byId: [...tree.indexById].toSorted(),
});

describe('[WG-09] lazy children', () => {
  it('grafted onto any node give the same tree as if loaded at first', () => {
    fc.assert(
      fc.property(anyTree, anyTree, fc.nat(), (roots, later, at) => {
        const tree = flatTree(roots);
        if (tree.size === 0) return;
        const index = at % tree.size;
        const more = withIds(later, 'later');
        const grafted = graft(tree, index, more);
        expect(shape(grafted.tree)).toEqual(shape(flatTree(withMore(roots, tree.nodes[index]!.id, more))));
        const flags = graftFlags(new Uint8Array(tree.size).fill(1), grafted);
        expect([...flags].filter((flag) => flag === 0)).toHaveLength(grafted.count);
      }),
    );
  });
  it('come 100 first, then 20 at a time, and no more than there are', () => {
    expect(nextChildren(0, null)).toEqual({ offset: 0, count: 100, pageStart: 0, pageSize: 100 });
    expect(nextChildren(100, 130)).toEqual({ offset: 100, count: 20, pageStart: 5, pageSize: 20 });
    expect(nextChildren(120, 130)).toEqual({ offset: 120, count: 20, pageStart: 6, pageSize: 20 });
    expect(nextChildren(130, 130)).toBeNull();
    expect(nextChildren(0, 0)).toBeNull();
    expect([isNearEnd(500), isNearEnd(501)]).toEqual([true, false]);
  });
});

describe('[WG-11] dragging', () => {
  const leaf = (id: string, children: readonly TreeNode[] = []): TreeNode => ({ id, name: id, children });
  const tree = flatTree([
    leaf('a', [leaf('a1', [leaf('x'), leaf('y')]), leaf('a2')]),
    leaf('b', [leaf('b1')]),
    leaf('c'),
  ]);
  const at = (id: string) => tree.indexById.get(id) ?? -1;
  it.each([
    ['a', 'c', true],
    ['c', 'a', true],
    ['a2', 'a1', true],
    ['a1', 'b1', false],
    ['a1', 'a', false],
    ['x', 'y', false],
    ['b', 'b', false],
    ['b', 'gone', false],
  ])('%s before %s: %s', (dragged, target, isAllowed) => {
    expect(canDropBefore(tree, at(dragged), at(target))).toBe(isAllowed);
  });
  it('never creates a cycle', () => {
    expect(canDropInto(tree, at('a'), at('x'))).toBe(false);
    expect(canDropInto(tree, at('a'), at('a'))).toBe(false);
    expect(canDropInto(tree, at('a1'), at('a'))).toBe(false);
    expect(canDropInto(tree, at('x'), at('b1'))).toBe(true);
  });
  it('has an equivalent by key', () => {
    expect(neighbourBefore(tree, at('c'), 'up')).toBe(at('b'));
    expect(neighbourBefore(tree, at('a'), 'down')).toBe(at('c'));
    expect(neighbourBefore(tree, at('b'), 'down')).toBe(-1);
    expect(neighbourBefore(tree, at('a'), 'up')).toBeNull();
    expect(neighbourBefore(tree, at('c'), 'down')).toBeNull();
    expect(neighbourBefore(tree, at('x'), 'down')).toBeNull();
  });
});
