// The month of a calendar as a time range in a zone, and its days as 31 flags.
import { DAY_MS } from '@vedette/foundation/units/durations.ts';

/** No zone is further from UTC than 14 hours; one day on either side covers any month. */
const MARGIN_MS = DAY_MS;

/** Wide enough for every zone; the days outside the month are dropped by `dailyFlags`. */
export function monthRange(year: number, month: number): { startTime: number; endTime: number } {
  return {
    startTime: Date.UTC(year, month - 1, 1) - MARGIN_MS,
    endTime: Date.UTC(year, month, 1) + MARGIN_MS,
  };
}

/** `days` are YYYY-MM-DD in the zone that was asked for; answers 31 flags, 1 where the day has recordings. */
export function dailyFlags(days: readonly string[], year: number, month: number): number[] {
  const prefix = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-`;
  const numbers = new Set(days.filter((day) => day.startsWith(prefix)).map((day) => Number(day.slice(prefix.length))));
  return Array.from({ length: 31 }, (_none, index) => (numbers.has(index + 1) ? 1 : 0));
}
