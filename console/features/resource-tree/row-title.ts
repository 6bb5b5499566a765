// The text that a row shows when the pointer rests on it.
import { TREE } from '@vedette/contract/limits.ts';

/** Only a name that may be cut needs one. */
export function rowTitle(text: string): string | undefined {
  return text.length > TREE.titleLength ? text : undefined;
}
