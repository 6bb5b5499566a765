// A size in bytes in the words of the current language.
import type { Translate } from '@vedette/phrases/translate.ts';
import { readableSize } from '@vedette/rules/byte-size.ts';

export function sizeText(t: Translate, bytes: number): string {
  const { value, unit } = readableSize(bytes);
  return t(`unit.${unit}`, { value });
}
