// Property tests of the flat tree against a naive one, and the specification's cases by hand.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryOpen, collapseAll, expandAll, openTo, reveal, setOpen, visibleRows } from './expansion.ts';
import { flatTree, isBranch, siblingPosition } from './flat-tree.ts';
import { anyTree, everyNode, type NaiveNode, naiveCheck, naiveRows, naiveTree } from './naive-tree.fake.ts';
import { carryOpenByKeys } from './open-choices.ts';
import { CHECK, checkedIndexes, FULL_LINKAGE, initialChecks, setChecked } from './tree-check.ts';
import { moveInTree, typeAhead, visibleRowOf } from './tree-keys.ts';
import { iconOf, type TreeNode } from './tree-node.ts';
import { searchTexts, searchTree } from './tree-search.ts';

const leaf = (id: string, over = {}) => ({ id, name: id, ...over });
const campus: readonly TreeNode[] = [
  {
    id: 'a',
    name: 'Harbour',
    children: [leaf('a1'), { id: 'a2', name: 'Hall', children: [leaf('a2x'), leaf('a2y')] }],
  },
  leaf('b'),
];
const ids = (rows: Int32Array, tree: ReturnType<typeof flatTree>): string[] =>
  Array.from(rows, (index) => tree.nodes[index]!.id);

describe('[WG-12] the flat tree agrees with a naive one', () => {
  it('on order, parents, depths and subtrees', () => {
    fc.assert(
      fc.property(anyTree, (roots) => {
        const tree = flatTree(roots);
        const all = everyNode(naiveTree(roots));
        expect(tree.nodes).toEqual(all.map((one) => one.node));
        all.forEach((one, index) => {
          const parent = one.parent === null ? -1 : tree.indexById.get(one.parent.node.id);
          expect(tree.parent[index]).toBe(parent);
          expect(tree.end[index]).toBe(index + 1 + everyNode(one.children).length);
          const siblings = one.parent?.children ?? all.filter((other) => other.parent === null);
          expect(siblingPosition(tree, index)).toEqual({ position: siblings.indexOf(one) + 1, count: siblings.length });
        });
      }),
    );
  });

  it('on visible rows after any opening and closing', () => {
    fc.assert(
      fc.property(anyTree, fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 20 }), (roots, moves) => {
        const tree = flatTree(roots);
        const naive = naiveTree(roots);
        const all = everyNode(naive);
        let open: Uint8Array = new Uint8Array(tree.size);
        for (const [at, isOpen] of moves) {
          if (tree.size === 0) break;
          open = setOpen(open, at % tree.size, isOpen);
          all[at % tree.size]!.isOpen = isOpen;
        }
        expect(ids(visibleRows(tree, open), tree)).toEqual(naiveRows(naive).map((one) => one.node.id));
      }),
    );
  });

  it('on search results: matches, their ancestors and their descendants', () => {
    fc.assert(
      fc.property(anyTree, fc.constantFrom('gate', 'G', 'lob', '大', 'depot', 'gate 2', 'x'), (roots, keyWord) => {
        const tree = flatTree(roots);
        const all = everyNode(naiveTree(roots));
        const hits = (one: NaiveNode): boolean =>
          keyWord.split(' ').every((word) => one.node.name.toLowerCase().includes(word.toLowerCase()));
        const isAbove = (one: NaiveNode): boolean => everyNode(one.children).some(hits);
        const isBelow = (one: NaiveNode | null): boolean => one !== null && (hits(one) || isBelow(one.parent));
        const found = searchTree(
          tree,
          searchTexts(tree, (node) => node.name),
          keyWord,
        )!;
        all.forEach((one, index) => {
          expect([found.matched[index], found.open[index], found.shown[index]]).toEqual(
            [hits(one), isAbove(one), isAbove(one) || isBelow(one)].map(Number),
          );
        });
        expect(found.total).toBe(all.filter(hits).length);
      }),
    );
  });
});

describe('[WG-08] check states agree with a naive tree', () => {
  const linkage = fc.record({
    checkStrictly: fc.constantFrom(false, false, false, true),
    Y: fc.constantFrom('', 'p', 's', 'ps'),
    N: fc.constantFrom('', 'p', 's', 'ps'),
  });
  it('after any series of checks under any linkage', () => {
    fc.assert(
      fc.property(
        anyTree,
        linkage,
        fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 12 }),
        (roots, link, moves) => {
          const tree = flatTree(roots);
          const all = everyNode(naiveTree(roots));
          const states = initialChecks(tree);
          for (const [at, isChecked] of tree.size === 0 ? [] : moves) {
            setChecked(tree, states, { index: at % tree.size, isChecked, linkage: link });
            naiveCheck(all[at % tree.size]!, isChecked, link);
            expect(Array.from(states)).toEqual(all.map((one) => one.state));
          }
        },
      ),
    );
  });

  it('checks downwards and upwards, and shows the indeterminate state', () => {
    const tree = flatTree(campus);
    const states = initialChecks(tree);
    setChecked(tree, states, { index: tree.indexById.get('a2x')!, isChecked: true });
    expect(Array.from(states)).toEqual([CHECK.indeterminate, 0, CHECK.indeterminate, CHECK.checked, 0, 0]);
    setChecked(tree, states, { index: tree.indexById.get('a')!, isChecked: true });
    expect(checkedIndexes(tree, states)).toEqual([0, 1, 2, 3, 4]);
    setChecked(tree, states, { index: tree.indexById.get('a1')!, isChecked: false });
    expect(states[0]).toBe(CHECK.indeterminate);
  });

  it('does not change disabled nodes or nodes without a box', () => {
    const tree = flatTree<TreeNode>([
      { id: 'r', name: 'r', children: [leaf('d', { disabled: true }), leaf('n', { nochecked: true }), leaf('x')] },
    ]);
    const states = initialChecks(tree);
    expect(setChecked(tree, states, { index: 1, isChecked: true })).toBe(false);
    expect(setChecked(tree, states, { index: 2, isChecked: true })).toBe(false);
    setChecked(tree, states, { index: 0, isChecked: true, linkage: FULL_LINKAGE });
    expect(Array.from(states)).toEqual([CHECK.indeterminate, 0, 0, CHECK.checked]);
  });

  it('takes iniChecked and iniIndeterminate as initial states', () => {
    const tree = flatTree([leaf('c', { iniChecked: true }), leaf('i', { iniIndeterminate: true }), leaf('u')]);
    expect(Array.from(initialChecks(tree))).toEqual([CHECK.checked, CHECK.indeterminate, CHECK.unchecked]);
  });

  it('toggles folder icons on expand and collapse', () => {
    const folder = leaf('f', { iconSkin: 'folder' });
    expect([iconOf(folder, true), iconOf(folder, false)]).toEqual(['folder_open', 'folder_close']);
    expect(iconOf(leaf('c', { iconSkin: 'camera' }), true)).toBe('camera');
  });
});

describe('[WG-13] opening and closing', () => {
  const tree = flatTree<TreeNode>([{ id: 'k', name: 'k', keepClose: true, children: [leaf('k1')] }, ...campus]);
  it('expands all but nodes with keepClose', () => {
    const rows = ids(visibleRows(tree, expandAll(tree, new Uint8Array(tree.size))), tree);
    expect(rows).toEqual(['k', 'a', 'a1', 'a2', 'a2x', 'a2y', 'b']);
    expect(ids(visibleRows(tree, collapseAll(tree, openTo(tree, 9))), tree)).toEqual(['k', 'a', 'b']);
  });
  it('reveals a node by opening its ancestors', () => {
    const open = reveal(tree, new Uint8Array(tree.size), tree.indexById.get('a2y')!);
    expect(ids(visibleRows(tree, open), tree)).toContain('a2y');
  });
  it('keeps the open nodes when the tree is rebuilt', () => {
    const open = setOpen(new Uint8Array(tree.size), tree.indexById.get('a')!, true);
    const next = flatTree([leaf('new'), ...campus]);
    expect(ids(visibleRows(next, carryOpen(tree, open, next, 0)), next)).toEqual(['new', 'a', 'a1', 'a2', 'b']);
    const chosen = carryOpenByKeys(next, { a: true, gone: true }, () => false);
    expect(ids(visibleRows(next, chosen), next)).toEqual(['new', 'a', 'a1', 'a2', 'b']);
  });
  it('treats a lazy node as a branch before its children are loaded', () => {
    expect(isBranch(flatTree([leaf('z', { lazy: true })]), 0)).toBe(true);
  });
});

describe('keys of the tree', () => {
  const tree = flatTree(campus);
  const cursor = (open: Uint8Array, current: string) => ({
    tree,
    open,
    rows: visibleRows(tree, open),
    current: tree.indexById.get(current) ?? -1,
    pageRows: 2,
  });
  const shut = new Uint8Array(tree.size);
  const full = expandAll(tree, shut);
  it.each([
    [full, 'a', 'next', 'a1'],
    [full, 'a', 'previous', 'a'],
    [full, 'b', 'next', 'b'],
    [full, 'a1', 'last', 'b'],
    [full, 'b', 'first', 'a'],
    [full, 'a', 'in', 'a1'],
    [full, 'a2x', 'out', 'a2'],
    [full, 'a', 'pageDown', 'a2'],
    [full, 'b', 'pageUp', 'a2x'],
    [shut, 'a', 'next', 'b'],
    [shut, '', 'next', 'a'],
  ] as const)('moves (%#)', (open, from, move, to) => {
    expect(moveInTree(cursor(open, from), move)).toEqual({ current: tree.indexById.get(to) });
  });
  it('opens with right, closes with left, and stops at a leaf and at the top', () => {
    expect(moveInTree(cursor(shut, 'a'), 'in')).toEqual({ current: 0, isOpen: true });
    expect(moveInTree(cursor(full, 'a'), 'out')).toEqual({ current: 0, isOpen: false });
    expect(moveInTree(cursor(full, 'b'), 'in')).toBeNull();
    expect(moveInTree(cursor(shut, 'b'), 'out')).toBeNull();
  });
  it('finds by typing, from the next row on and wrapping around', () => {
    const texts = ['harbour', 'gate', 'hall', 'gate north', 'x', 'yard'];
    expect(typeAhead(cursor(full, 'a1'), texts, 'g')).toBe(3);
    expect(typeAhead(cursor(full, 'a2x'), texts, 'g')).toBe(1);
    expect(typeAhead(cursor(full, 'a2x'), texts, 'gate n')).toBe(3);
    expect(typeAhead(cursor(full, 'a'), texts, 'q')).toBe(-1);
  });
  it('finds the row of a node by binary search', () => {
    const rows = visibleRows(tree, full);
    expect(Array.from(rows, (index) => visibleRowOf(rows, index))).toEqual(Array.from(rows, (_, row) => row));
    expect(visibleRowOf(rows, 99)).toBe(-1);
  });
});

describe('keys where there is little to move to', () => {
  const tree = flatTree(campus);
  const closed = openTo(tree, 0);
  const rows = visibleRows(tree, closed);
  const at = (current: number) => ({ tree, rows, open: closed, current, pageRows: 10 });
  const texts = searchTexts(tree, ({ name }) => name);

  it('an empty tree has no row to move to', () => {
    const empty = flatTree([]);
    const cursor = { tree: empty, rows: new Int32Array(), open: openTo(empty, 1), current: -1, pageRows: 10 };
    expect(moveInTree(cursor, 'next')).toBeNull();
    expect(typeAhead(cursor, [], 'a')).toBe(-1);
    expect(searchTree(empty, [], 'a')?.total).toBe(0);
  });

  it('a hidden row leads to the first row, or with End to the last', () => {
    const hidden = tree.indexById.get('a2x') ?? -1;
    expect(visibleRowOf(rows, hidden)).toBe(-1);
    expect(moveInTree(at(hidden), 'next')).toEqual({ current: tree.indexById.get('a') });
    expect(moveInTree(at(hidden), 'last')).toEqual({ current: tree.indexById.get('b') });
  });

  it('a page beyond the ends stops at them', () => {
    expect(moveInTree(at(0), 'pageDown')).toEqual({ current: tree.indexById.get('b') });
    expect(moveInTree(at(0), 'pageUp')).toEqual({ current: 0 });
  });

  it('a leaf is not entered, and a root is not left', () => {
    const last = tree.indexById.get('b') ?? -1;
    expect(moveInTree(at(last), 'in')).toBeNull();
    expect(moveInTree(at(last), 'out')).toBeNull();
  });

  it('typing nothing, or what nothing starts with, moves nowhere', () => {
    expect(typeAhead(at(0), texts, '')).toBe(-1);
    expect(typeAhead(at(0), texts, 'zz')).toBe(-1);
    expect(typeAhead(at(-1), texts, 'h')).toBe(0);
    // The texts of a tree that grew since are not there yet.
    expect(typeAhead(at(0), [], 'h')).toBe(-1);
  });

  it('a blank key word searches nothing, and a text that is not there matches nothing', () => {
    expect(searchTree(tree, texts, '  ')).toBeNull();
    expect(searchTree(tree, [], 'hall')?.total).toBe(0);
  });

  it('one branch alone is opened and closed', () => {
    const branch = tree.indexById.get('a2') ?? -1;
    const open = expandAll(tree, closed, branch);
    expect([...open].map((flag, index) => (flag === 1 ? index : -1)).filter((index) => index >= 0)).toEqual([branch]);
    expect(collapseAll(tree, open, branch)).toEqual(closed);
  });
});
