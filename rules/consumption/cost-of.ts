// What an amount of a meter costs.
import { METERS, type MeterName } from '@vedette/contract/meters.ts';

/** Millionths of the currency: a price of one unit may be far below a cent. */
const STEPS = 1_000_000;

/** `amount`: decimal digits in the unit of the meter. Null where the meter has no price. */
export function costOf(meter: MeterName, amount: string, price: number | undefined): number | null {
  if (price === undefined) return null;
  return Math.round((Number(amount) / METERS[meter].pricedPer) * price * STEPS) / STEPS;
}
