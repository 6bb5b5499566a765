// An amount of something that is counted or metered, with its unit, in the words of the current language.
import type { Translate } from '@vedette/phrases/translate.ts';
import { sizeText } from '../../language/size-text.ts';

export function amountText(t: Translate, amount: number, unit: 'count' | 'bytes'): string {
  return unit === 'bytes' ? sizeText(t, amount) : new Intl.NumberFormat(t.language).format(amount);
}
