// The state of one tree widget: what is open, checked, found lazily, current; the flat model does the work.
import { reveal, setOpen, visibleRows } from '@vedette/rules/tree/expansion.ts';
import { type FlatTree, flatTree } from '@vedette/rules/tree/flat-tree.ts';
import { graft, graftFlags } from '@vedette/rules/tree/graft.ts';
import { nextChildren } from '@vedette/rules/tree/lazy-children.ts';
import { carryOpenByKeys } from '@vedette/rules/tree/open-choices.ts';
import { CHECK, type CheckState, checkedIndexes, initialChecks, setChecked } from '@vedette/rules/tree/tree-check.ts';
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';
import { searchTexts } from '@vedette/rules/tree/tree-search.ts';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { TreeViewProps } from './tree-view.props.ts';

interface Model<N extends TreeNode> {
  readonly roots: readonly N[];
  readonly tree: FlatTree<N>;
  readonly open: Uint8Array;
  readonly checks: Uint8Array;
  /** Of lazy nodes by id: children that are there, and how many there are. */
  readonly loaded: ReadonlyMap<string, { readonly count: number; readonly total: number }>;
}

type Node<N> = TreeNode & { readonly children?: readonly N[] };

/** What was open and checked stays so over a rebuilt tree; lazy children are asked for again. */
function build<N extends Node<N>>(roots: readonly N[], levels: number, before: Model<N> | null): Model<N> {
  const tree = flatTree(roots);
  const choices: Record<string, boolean> = {};
  if (before !== null)
    before.tree.nodes.forEach((node, index) => {
      if (!before.loaded.has(node.id)) choices[node.id] = before.open[index] === 1;
    });
  const isOpenAtFirst = (index: number): boolean =>
    tree.depth[index]! < levels && tree.nodes[index]?.lazy !== true && tree.nodes[index]?.keepClose !== true;
  const checks = initialChecks(tree);
  if (before !== null)
    tree.nodes.forEach((node, index) => {
      const was = before.tree.indexById.get(node.id);
      if (was !== undefined) checks[index] = before.checks[was]!;
    });
  return { roots, tree, open: carryOpenByKeys(tree, choices, isOpenAtFirst), checks, loaded: new Map() };
}

function grown<N extends Node<N>>(model: Model<N>, id: string, children: readonly N[], total: number): Model<N> {
  const index = model.tree.indexById.get(id);
  if (index === undefined) return model;
  const grafted = graft(model.tree, index, children);
  const checks = graftFlags(model.checks, grafted);
  const first = initialChecks(grafted.tree);
  // Children of a checked node come checked.
  const isChecked = model.checks[index] === CHECK.checked;
  for (let at = grafted.at; at < grafted.at + grafted.count; at += 1) {
    const node = grafted.tree.nodes[at]!;
    const isFixed = node.disabled === true || node.nochecked === true;
    checks[at] = isChecked && !isFixed ? CHECK.checked : first[at]!;
  }
  const count = (model.loaded.get(id)?.count ?? 0) + children.length;
  const loaded = new Map(model.loaded).set(id, { count, total: children.length === 0 ? count : total });
  return { ...model, tree: grafted.tree, open: graftFlags(model.open, grafted), checks, loaded };
}

export interface TreeViewState<N extends TreeNode> {
  readonly tree: FlatTree<N>;
  readonly texts: readonly string[];
  readonly rows: Int32Array;
  readonly open: Uint8Array;
  readonly checkOf: (index: number) => CheckState;
  readonly toggleCheck: (index: number) => void;
  readonly setNodeOpen: (index: number, isOpen: boolean) => void;
  /** True where more children are to come. */
  readonly hasMore: (index: number) => boolean;
  readonly loadMore: (index: number) => void;
  readonly loadingIds: ReadonlySet<string>;
  readonly failedIds: ReadonlySet<string>;
  readonly current: number;
  readonly setCurrent: (index: number) => void;
}

export function useTreeView<N extends Node<N>>(props: TreeViewProps<N>): TreeViewState<N> {
  const { roots, openLevels = 1, check } = props;
  const [model, setModel] = useState<Model<N>>(() => build(roots, openLevels, null));
  const shown = model.roots === roots ? model : build(roots, openLevels, model);
  if (shown !== model) setModel(shown);
  const [currentId, setCurrentId] = useState<string | null>(null);
  const now = useSelected(props.selectedId ?? null, shown, setModel, setCurrentId);
  const { tree, open, checks } = now;
  const lazy = useLazy(props, now, setModel);
  const texts = useMemo(() => searchTexts(tree, (node) => node.label ?? node.name), [tree]);
  const rows = useMemo(() => visibleRows(tree, open), [tree, open]);
  return {
    tree,
    texts,
    rows,
    open,
    checkOf: (index) => checks[index] as CheckState,
    toggleCheck: (index) => {
      const next = checks.slice();
      const isOn = checks[index] !== CHECK.checked;
      if (check === undefined || !setChecked(tree, next, { index, isChecked: isOn, linkage: check.linkage })) return;
      setModel({ ...now, checks: next });
      check.onCheck(checkedIndexes(tree, next).map((at) => tree.nodes[at]!));
    },
    setNodeOpen: (index, isOpen) => {
      setModel({ ...now, open: setOpen(open, index, isOpen) });
      const node = tree.nodes[index];
      if (isOpen && node?.lazy === true && !now.loaded.has(node.id)) lazy.load(node);
    },
    hasMore: (index) => {
      const node = tree.nodes[index];
      const loaded = node === undefined ? undefined : now.loaded.get(node.id);
      return loaded !== undefined && loaded.count < loaded.total;
    },
    loadMore: (index) => {
      const node = tree.nodes[index];
      if (node !== undefined) lazy.load(node);
    },
    loadingIds: lazy.loadingIds,
    failedIds: lazy.failedIds,
    current: currentId === null ? -1 : (tree.indexById.get(currentId) ?? -1),
    setCurrent: (index) => setCurrentId(tree.nodes[index]?.id ?? null),
  };
}

/** The cursor follows what is selected from outside, and what stands above it is opened, once the node is there. */
function useSelected<N extends Node<N>>(
  selectedId: string | null,
  model: Model<N>,
  setModel: (model: Model<N>) => void,
  setCurrentId: (id: string) => void,
): Model<N> {
  const [followed, setFollowed] = useState<string | null>(null);
  const index = selectedId === null ? undefined : model.tree.indexById.get(selectedId);
  if (selectedId === null || index === undefined) return model;
  // One that was moved is followed to its new place.
  const place = `${model.tree.nodes[model.tree.parent[index]!]?.id ?? ''} ${selectedId}`;
  if (followed === place) return model;
  const opened = { ...model, open: reveal(model.tree, model.open, index) };
  setFollowed(place);
  setModel(opened);
  setCurrentId(selectedId);
  return opened;
}

const NONE: ReadonlySet<string> = new Set();

/** One request per node at a time; what comes after the roots changed is dropped. */
function useLazy<N extends Node<N>>(
  { load }: TreeViewProps<N>,
  model: Model<N>,
  setModel: (change: (before: Model<N>) => Model<N>) => void,
) {
  const newest = useRef(model);
  useEffect(() => {
    newest.current = model;
  }, [model]);
  const [loadingIds, setLoading] = useState(NONE);
  const [failedIds, setFailed] = useState(NONE);
  const running = useRef(new Set<string>());
  async function run(node: N, roots: readonly N[]): Promise<void> {
    const held = newest.current.loaded.get(node.id);
    const page = nextChildren(held?.count ?? 0, held?.total ?? null);
    if (load === undefined || page === null || running.current.has(node.id)) return;
    running.current.add(node.id);
    setLoading(new Set(running.current));
    setFailed((before) => without(before, node.id));
    try {
      const { children, total } = await load(node, page);
      setModel((before) => (before.roots === roots ? grown(before, node.id, children, total) : before));
    } catch {
      // Shown in the row, which asks again when it is opened again.
      setFailed((before) => new Set([...before, node.id]));
    } finally {
      running.current.delete(node.id);
      setLoading(new Set(running.current));
    }
  }
  return { load: (node: N) => void run(node, model.roots), loadingIds, failedIds };
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((one) => one !== id));
}
