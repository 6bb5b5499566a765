// Paging of lazy children: 100 on first opening, then 20 at a time near the end of the scroll (WG-09).
import { TREE } from '@vedette/contract/limits.ts';

export interface ChildrenPage {
  /** Children that are there already. */
  readonly offset: number;
  readonly count: number;
  /** The same as a call says it: 100 is a whole number of twenties. */
  readonly pageStart: number;
  readonly pageSize: number;
}

/** `total` is unknown (null) before the first page. Null where nothing is left to fetch. */
export function nextChildren(loaded: number, total: number | null): ChildrenPage | null {
  if (total === null) return { offset: 0, count: TREE.lazyFirst, pageStart: 0, pageSize: TREE.lazyFirst };
  if (loaded >= total) return null;
  const pageSize = TREE.lazyNext;
  return { offset: loaded, count: pageSize, pageStart: Math.floor(loaded / pageSize), pageSize };
}

/** `distancePx` from the lower edge of what is in view to the last child that is there. */
export function isNearEnd(distancePx: number): boolean {
  return distancePx <= TREE.lazyScrollPx;
}
