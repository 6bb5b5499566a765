// How high the rows of trees are: as the product says, and as high as a finger on a phone.
import { TREE } from '@vedette/contract/limits.ts';
import { useIsPhone } from '../../ui/use-is-phone.ts';

/** `--row-tree` on a phone. */
const TOUCH_ROW_PX = 44;

export function useRowHeight(): number {
  return useIsPhone() ? TOUCH_ROW_PX : TREE.itemHeightPx;
}
