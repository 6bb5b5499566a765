// The state of one resource tree: nodes, what is open, what is found, where the cursor stands.
import { carryOpenByKeys, type OpenChoices } from '@vedette/rules/tree/open-choices.ts';
import { visibleRows } from '@vedette/rules/tree/expansion.ts';
import { type FlatTree, flatTree } from '@vedette/rules/tree/flat-tree.ts';
import { searchTexts, searchTree, type TreeSearch } from '@vedette/rules/tree/tree-search.ts';
import { useDeferredValue, useMemo, useState } from 'react';
import { create } from 'zustand';
import { useT } from '../../language/use-t.ts';
import { useServices } from '../../services/services.ts';
import { buildResourceTree } from './build-resource-tree.ts';
import type { ResourceNode } from './resource-node.ts';
import { type useResources, useShownResources } from './resources.query.ts';

/** What the user opened and closed, shared by the trees of all screens. */
const useOpenChoices = create<{ readonly choices: OpenChoices }>(() => ({ choices: {} }));

/** Small trees stand open as far as organisations go; large ones two levels. */
const SMALL_TREE = 200;
const LEVELS_OPEN = 2;

function isOpenAtFirst(tree: FlatTree<ResourceNode>, index: number): boolean {
  if (tree.nodes[index]?.nodeType !== 'organization') return false;
  return tree.size <= SMALL_TREE || tree.depth[index]! < LEVELS_OPEN;
}

function textOf(node: ResourceNode): string {
  return node.deviceId === undefined || node.nodeType === 'channel' ? node.name : `${node.name} ${node.deviceId}`;
}

export interface ResourceTreeState {
  readonly query: ReturnType<typeof useResources>;
  readonly tree: FlatTree<ResourceNode>;
  readonly texts: readonly string[];
  readonly rows: Int32Array;
  readonly open: Uint8Array;
  readonly search: TreeSearch | null;
  readonly keyWord: string;
  readonly setKeyWord: (keyWord: string) => void;
  readonly setNodeOpen: (index: number, isOpen: boolean) => void;
  readonly current: number;
  readonly setCurrent: (index: number) => void;
}

export function useResourceTree(scope: 'channels' | 'organizations'): ResourceTreeState {
  const { mode } = useServices();
  const { language } = useT();
  const { query, resources } = useShownResources();
  const tree = useMemo(
    () => flatTree(buildResourceTree(resources ?? [], { isWeb: mode === 'web', scope, language })),
    [resources, mode, scope, language],
  );
  const texts = useMemo(() => searchTexts(tree, textOf), [tree]);
  const [keyWord, setKeyWord] = useState('');
  const searched = useDeferredValue(keyWord);
  const search = useMemo(() => searchTree(tree, texts, searched), [tree, texts, searched]);
  const choices = useOpenChoices((state) => state.choices);
  const open = useMemo(
    () => search?.open ?? carryOpenByKeys(tree, choices, (index) => isOpenAtFirst(tree, index)),
    [tree, choices, search],
  );
  // While searching the user may close what the search opened.
  const [closed, setClosed] = useState<{ readonly search: TreeSearch | null; readonly flips: OpenChoices }>({
    search: null,
    flips: {},
  });
  const flips = closed.search === search ? closed.flips : null;
  const shownOpen = useMemo(() => {
    if (search === null || flips === null) return open;
    return carryOpenByKeys(tree, flips, (index) => open[index] === 1);
  }, [tree, search, open, flips]);
  const rows = useMemo(() => visibleRows(tree, shownOpen, search?.shown), [tree, shownOpen, search]);
  const [currentId, setCurrentId] = useState<string | null>(null);
  return {
    query,
    tree,
    texts,
    rows,
    open: shownOpen,
    search,
    keyWord,
    setKeyWord,
    setNodeOpen: (index, isOpen) => {
      const node = tree.nodes[index];
      if (node === undefined) return;
      if (search === null) useOpenChoices.setState((state) => ({ choices: { ...state.choices, [node.id]: isOpen } }));
      else setClosed({ search, flips: { ...flips, [node.id]: isOpen } });
    },
    current: currentId === null ? -1 : (tree.indexById.get(currentId) ?? -1),
    setCurrent: (index) => setCurrentId(tree.nodes[index]?.id ?? null),
  };
}
