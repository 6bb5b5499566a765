// The tree widget: virtual rows, boxes, lazy children, renaming in place, restricted dragging, and every bit of it by key.
import { isBranch, siblingPosition } from '@vedette/rules/tree/flat-tree.ts';
import { isNearEnd } from '@vedette/rules/tree/lazy-children.ts';
import { neighbourBefore } from '@vedette/rules/tree/tree-drag.ts';
import { visibleRowOf } from '@vedette/rules/tree/tree-keys.ts';
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import style from './tree-view.module.css';
import type { TreeViewProps } from './tree-view.props.ts';
import { TreeViewRow } from './tree-view-row.tsx';
import { useTreeDrag } from './use-tree-drag.ts';
import { useTreeKeys } from './use-tree-keys.ts';
import { type TreeViewState, useTreeView } from './use-tree-view.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

type Node<N> = TreeNode & { readonly children?: readonly N[] };

export function TreeView<N extends Node<N>>(props: TreeViewProps<N>) {
  const { label, selectedId = null, onSelect, rename, check } = props;
  const prefix = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const state = useTreeView(props);
  const { tree, rows, open, current } = state;
  const [editId, setEditId] = useState<string | null>(null);
  const editing = editId ?? rename?.editId ?? null;
  const currentRow = visibleRowOf(rows, current);
  const { virtual, rowHeight } = useVirtualRows({
    scroller,
    count: rows.length,
    keyOf: (row) => tree.nodes[rows[row] ?? 0]?.id ?? row,
    currentRow,
  });
  const items = virtual.getVirtualItems();
  useMoreChildren(state, { scroller: scroller.current, rowHeight }, items.at(-1)?.index ?? -1);
  const drag = useTreeDrag(props, state);

  const canRename = (index: number): boolean => {
    const node = tree.nodes[index];
    return node !== undefined && rename !== undefined && rename.canRename(node);
  };
  const keys = useTreeKeys<N>({
    state,
    pageRows: () => Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight),
    onSelect: (node) => onSelect?.(node),
    onEnter: (index) => {
      if (check !== undefined) state.toggleCheck(index);
      else if (isBranch(tree, index)) state.setNodeOpen(index, open[index] !== 1);
    },
    onEnterAll: () => undefined,
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget) return;
    if (event.key === 'F2' && canRename(current)) setEditId(tree.nodes[current]?.id ?? null);
    else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      moveByKey(props, state, event.key === 'ArrowUp' ? 'up' : 'down');
    } else {
      keys.onKeyDown(event);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const endEdit = (): void => {
    setEditId(null);
    rename?.onEnd?.();
    scroller.current?.focus();
  };
  return (
    <div
      ref={scroller}
      className={style.scroller}
      role="tree"
      aria-label={label}
      aria-multiselectable={check !== undefined || undefined}
      aria-activedescendant={currentRow < 0 ? undefined : `${prefix}${current}`}
      tabIndex={rows.length > 0 ? 0 : -1}
      onKeyDown={onKeyDown}
      onPointerDown={keys.onPointerDown}
      onBlur={keys.onBlur}
      onFocus={(event) => {
        const first = rows[0];
        if (event.target === event.currentTarget && currentRow < 0 && first !== undefined) state.setCurrent(first);
      }}
    >
      <div role="none" className={style.rows} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const index = rows[item.index] ?? -1;
          const node = tree.nodes[index];
          if (node === undefined) return null;
          const place = siblingPosition(tree, index);
          return (
            <TreeViewRow
              key={item.key}
              id={`${prefix}${index}`}
              node={node}
              top={item.start}
              level={tree.depth[index]! + 1}
              position={place.position}
              siblings={place.count}
              isBranch={isBranch(tree, index)}
              isOpen={open[index] === 1}
              isCurrent={index === current}
              isSelected={node.id === selectedId}
              isLoading={state.loadingIds.has(node.id)}
              hasFailed={state.failedIds.has(node.id)}
              check={check === undefined || node.nochecked === true ? null : state.checkOf(index)}
              isEditing={editing === node.id || node.isEdit === true}
              problemOf={(name) => rename?.problemOf(node, name) ?? null}
              onSave={async (name) => await rename?.save(node, name)}
              onEditEnd={endEdit}
              onChoose={() => {
                state.setCurrent(index);
                onSelect?.(node);
              }}
              onToggle={() => state.setNodeOpen(index, open[index] !== 1)}
              onCheck={() => state.toggleCheck(index)}
              onEdit={() => {
                if (canRename(index)) setEditId(node.id);
              }}
              end={props.rowEnd?.(node)}
              {...drag.rowProps(index)}
            />
          );
        })}
      </div>
    </div>
  );
}

/** The equal of dragging before a neighbour. */
function moveByKey<N extends Node<N>>({ drag }: TreeViewProps<N>, state: TreeViewState<N>, step: 'up' | 'down'): void {
  const { tree, current } = state;
  const node = tree.nodes[current];
  if (drag === undefined || node === undefined || !drag.canDrag(node)) return;
  const before = neighbourBefore(tree, current, step);
  if (before !== null) drag.onBefore(node, before < 0 ? null : (tree.nodes[before] ?? null));
}

/** Asks for the next children of the nodes around the last row in view, once their end is within 500 px. */
function useMoreChildren<N extends TreeNode>(
  state: TreeViewState<N>,
  { scroller, rowHeight }: { readonly scroller: HTMLElement | null; readonly rowHeight: number },
  lastRow: number,
): void {
  useEffect(() => {
    const { tree, rows, open } = state;
    const shown = scroller === null ? 0 : scroller.scrollTop + scroller.clientHeight;
    for (let at = rows[lastRow] ?? -1; at >= 0; at = tree.parent[at]!) {
      if (open[at] !== 1 || !state.hasMore(at)) continue;
      const endRow = rowAtOrAfter(rows, tree.end[at]!);
      if (isNearEnd(endRow * rowHeight - shown)) state.loadMore(at);
    }
  });
}

function rowAtOrAfter(rows: Int32Array, index: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rows[middle]! < index) low = middle + 1;
    else high = middle;
  }
  return low;
}
