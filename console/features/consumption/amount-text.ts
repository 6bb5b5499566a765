// An amount of something that is counted or metered, with its unit, in the words of the current language.
import type { MeterUnit } from '@vedette/contract/meters.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { sizeText } from '../../language/size-text.ts';

const DAY_HOURS = 24;

/** Byte-hours are shown as bytes kept for a day. */
export function amountText(t: Translate, amount: number, unit: MeterUnit): string {
  const number = (value: number): string => new Intl.NumberFormat(t.shown).format(value);
  switch (unit) {
    case 'bytes':
      return sizeText(t, amount);
    case 'byteHours':
      return t('consumption.byteDays', { size: sizeText(t, amount / DAY_HOURS) });
    case 'minutes':
      return t('consumption.minutes', { value: number(amount) });
    case 'count':
      return number(amount);
  }
}
