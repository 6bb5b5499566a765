// Which rows of a tree are drawn: those in view and a little beyond, in the sizes of the specification (WG-12).
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { TREE } from '@vedette/contract/limits.ts';
import { type RefObject, useEffect } from 'react';
import { useRowHeight } from './use-row-height.ts';

/** The list counts the rows beyond the view, not their pixels. */
const ROWS_BEYOND = Math.ceil(TREE.bufferPx / TREE.itemHeightPx);
/** Of a list that is not measured yet: so high that `prerender` rows are drawn. */
const FIRST_RECT = { width: TREE.nodeWidthPx, height: (TREE.prerender - ROWS_BEYOND) * TREE.itemHeightPx };

export interface VirtualRowsOptions {
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly count: number;
  readonly keyOf: (row: number) => string | number;
  /** Row that is scrolled into view when it changes; −1 for none. */
  readonly currentRow: number;
}

export interface VirtualRows {
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly rowHeight: number;
}

export function useVirtualRows({ scroller, count, keyOf, currentRow }: VirtualRowsOptions): VirtualRows {
  const rowHeight = useRowHeight();
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: ROWS_BEYOND,
    paddingStart: 4,
    paddingEnd: TREE.bottomDistancePx,
    initialRect: FIRST_RECT,
    getItemKey: keyOf,
  });
  useEffect(() => {
    if (currentRow >= 0) virtual.scrollToIndex(currentRow);
  }, [currentRow, virtual]);
  return { virtual, rowHeight };
}
