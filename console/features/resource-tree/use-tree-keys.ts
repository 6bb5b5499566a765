// Keys of the tree: arrows, Home, End, page keys, Enter (with Shift for all below), Space, type-ahead.
import { moveInTree, type TreeCursor, type TreeMove, typeAhead } from '@vedette/rules/tree/tree-keys.ts';
import { type KeyboardEvent, useRef } from 'react';
import { useServices } from '../../services/services.ts';
import type { FlatTree } from '@vedette/rules/tree/flat-tree.ts';
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';

const MOVES: Readonly<Record<string, TreeMove>> = {
  ArrowDown: 'next',
  ArrowUp: 'previous',
  ArrowRight: 'in',
  ArrowLeft: 'out',
  Home: 'first',
  End: 'last',
  PageDown: 'pageDown',
  PageUp: 'pageUp',
};
/** Letters typed within this time make one word. */
const TYPING_MS = 700;

export interface TreeKeysState<N extends TreeNode> {
  readonly tree: FlatTree<N>;
  readonly texts: readonly string[];
  readonly rows: Int32Array;
  readonly open: Uint8Array;
  readonly current: number;
  readonly setCurrent: (index: number) => void;
  readonly setNodeOpen: (index: number, isOpen: boolean) => void;
}

export interface TreeKeysOptions<N extends TreeNode> {
  readonly state: TreeKeysState<N>;
  readonly pageRows: () => number;
  readonly onSelect: (node: N) => void;
  readonly onEnter: (index: number) => void;
  /** Shift+Enter. */
  readonly onEnterAll: (index: number) => void;
}

export function useTreeKeys<N extends TreeNode>(options: TreeKeysOptions<N>) {
  const { state, pageRows, onSelect, onEnter, onEnterAll } = options;
  const { clock } = useServices();
  const typed = useRef({ text: '', at: 0 });
  // After a click the letters stay shortcuts of the screen; who came or moved by key types to find.
  const isByKey = useRef(true);

  function goTo(index: number): void {
    state.setCurrent(index);
    const node = state.tree.nodes[index];
    if (node !== undefined) onSelect(node);
  }
  function type(key: string, cursor: TreeCursor): void {
    const now = clock.wallMs();
    const text = now - typed.current.at < TYPING_MS ? typed.current.text + key : key;
    typed.current = { text, at: now };
    const found = typeAhead(cursor, state.texts, text);
    if (found >= 0) goTo(found);
  }
  function go(move: TreeMove, cursor: TreeCursor): void {
    isByKey.current = true;
    const step = moveInTree(cursor, move);
    if (step?.isOpen !== undefined) state.setNodeOpen(step.current, step.isOpen);
    else if (step !== null) goTo(step.current);
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { tree, rows, open, current } = state;
    const cursor: TreeCursor = { tree, rows, open, current, pageRows: Math.max(1, pageRows()) };
    const move = MOVES[event.key];
    if (move !== undefined) go(move, cursor);
    else if (event.key === 'Enter' || event.key === ' ') {
      if (current < 0) return;
      if (event.shiftKey) onEnterAll(current);
      else onEnter(current);
    } else if (isByKey.current && /^[^/?]$/u.test(event.key)) type(event.key, cursor);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    onKeyDown,
    onPointerDown: () => {
      isByKey.current = false;
    },
    onBlur: () => {
      isByKey.current = true;
    },
  };
}
