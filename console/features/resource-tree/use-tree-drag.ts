// Dragging rows of the tree widget: before a neighbour as WG-11 allows, onto a row where the screen does, and things from elsewhere.
import { canDropBefore, canDropInto } from '@vedette/rules/tree/tree-drag.ts';
import type { TreeNode } from '@vedette/rules/tree/tree-node.ts';
import { type DragEvent, useState } from 'react';
import { ownDrag } from '../../ui/own-drag.ts';
import type { TreeViewProps } from './tree-view.props.ts';
import type { TreeViewState } from './use-tree-view.ts';

/** The index of the row. */
const nodeDrag = ownDrag<number>();
export type DropPlace = 'before' | 'into';

interface Dragging {
  readonly from: number;
  readonly over: number;
  readonly place: DropPlace | null;
}
const NOTHING: Dragging = { from: -1, over: -1, place: null };

export function useTreeDrag<N extends TreeNode & { readonly children?: readonly N[] }>(
  { drag, foreign }: TreeViewProps<N>,
  { tree }: TreeViewState<N>,
) {
  const [now, setNow] = useState<Dragging>(NOTHING);

  function placeOf(event: DragEvent, target: number): DropPlace | null {
    const into = tree.nodes[target];
    if (into === undefined) return null;
    if (nodeDrag.read(event.dataTransfer) === now.from) return placeOfNode(event, target);
    return foreign?.canTake(event.dataTransfer, into) === true ? 'into' : null;
  }
  function placeOfNode(event: DragEvent, target: number): DropPlace | null {
    if (drag === undefined || tree.nodes[now.from] === undefined) return null;
    const allowsInto = mayDropInto(target);
    const allowsBefore = canDropBefore(tree, now.from, target);
    const { top, height } = event.currentTarget.getBoundingClientRect();
    // The upper third of a row stands for the gap above it.
    const isUpper = event.clientY - top < height / 3;
    if (allowsBefore && (isUpper || !allowsInto)) return 'before';
    return allowsInto ? 'into' : null;
  }
  function mayDropInto(target: number): boolean {
    const [node, into] = [tree.nodes[now.from], tree.nodes[target]];
    if (drag?.onInto === undefined || node === undefined || into === undefined) return false;
    return canDropInto(tree, now.from, target) && (drag.canDropInto?.(node, into) ?? true);
  }
  function drop(event: DragEvent, target: number): void {
    const place = placeOf(event, target);
    const into = tree.nodes[target];
    const node = nodeDrag.read(event.dataTransfer) === now.from ? tree.nodes[now.from] : undefined;
    setNow(NOTHING);
    if (place === null || into === undefined) return;
    event.preventDefault();
    if (node === undefined) foreign?.onTake(event.dataTransfer, into);
    else if (place === 'before') drag?.onBefore(node, into);
    else drag?.onInto?.(node, into);
  }
  return {
    rowProps: (index: number) => ({
      isDraggable: drag !== undefined && tree.nodes[index] !== undefined && drag.canDrag(tree.nodes[index]),
      drop: now.over === index ? now.place : null,
      onDragStart: (event: DragEvent) => {
        nodeDrag.begin(event.dataTransfer, index, 'move');
        setNow({ from: index, over: -1, place: null });
      },
      onDragOver: (event: DragEvent) => {
        const place = placeOf(event, index);
        if (place !== null) event.preventDefault();
        if (now.over !== index || now.place !== place) setNow({ from: now.from, over: index, place });
      },
      onDragLeave: () => setNow((before) => (before.over === index ? { ...before, over: -1, place: null } : before)),
      onDragEnd: () => setNow(NOTHING),
      onDrop: (event: DragEvent) => drop(event, index),
    }),
  };
}
