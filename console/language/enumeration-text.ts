// The text of a number of an enumeration; one that this version does not know is shown as unknown, never refused (EN-04).
import type { PlainKey } from '@vedette/phrases/pack.ts';
import type { Translate } from '@vedette/phrases/translate.ts';

export function enumerationText(
  t: Translate,
  words: Readonly<Partial<Record<number, PlainKey>>>,
  value: number,
): string {
  return t(words[value] ?? 'status.unknown');
}
