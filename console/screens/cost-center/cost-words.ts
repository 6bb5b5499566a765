// Consumption in words: amounts with their units, money, and the names of rows.
import type { CostGroup, MeterAmount } from '@vedette/contract/calls/cost.ts';
import { METERS } from '@vedette/contract/meters.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { amountText } from '../../features/consumption/amount-text.ts';
import type { CostSummary } from './cost.query.ts';

export const NOTHING = '–';
export const PRICE_DECIMALS = 6;

export function meterText(t: Translate, { meter, amount }: Pick<MeterAmount, 'meter' | 'amount'>): string {
  return amountText(t, Number(amount), METERS[meter].unit);
}

/** Of an ISO 4217 code, also one that no country uses. */
export function moneyText(t: Translate, cost: number | null, currency: string | undefined): string {
  if (cost === null || currency === undefined) return NOTHING;
  return new Intl.NumberFormat(t.shown, { style: 'currency', currency }).format(cost);
}

/** A price may be far below a cent. */
export function priceText(t: Translate, price: number, currency: string): string {
  const digits = { style: 'currency', currency, maximumFractionDigits: PRICE_DECIMALS } as const;
  return new Intl.NumberFormat(t.shown, digits).format(price);
}

/** Null where no meter has a price. */
export function totalCost(meterList: readonly MeterAmount[]): number | null {
  const costs = meterList.flatMap(({ cost }) => cost ?? []);
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

export function rowName(t: Translate, group: CostGroup, { key, name }: CostSummary['rowList'][number]): string {
  switch (group) {
    case 'meter':
      return t.find(`consumption.meter.${key}`) ?? key;
    case 'organization':
      if (key === '0') return t('tree.root');
      return name === '' ? t('consumption.deletedOrganization') : name;
    case 'account':
      return name === '' ? t('consumption.deletedAccount') : name;
  }
}
