// Names of wall splits: the number of windows, or one large and the small ones around it.
import type { WallSplit } from '@vedette/contract/limits.ts';

const WITH_LARGE: Readonly<Partial<Record<WallSplit, string>>> = { 6: '1+5', 8: '1+7' };

export function splitName(split: WallSplit): string {
  return WITH_LARGE[split] ?? String(split);
}
