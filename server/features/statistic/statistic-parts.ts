// Parts that the answers of statistics are made of: series over a period, figures, and breakdowns with their largest rows.
import type {
  StatisticBreakdown,
  StatisticBreakdownName,
  StatisticFigure,
  StatisticSeries,
  StatisticUnit,
} from '@vedette/contract/calls/statistic.ts';
import { STATISTIC_LIMITS } from '@vedette/contract/limits.ts';
import type { Period } from '@vedette/rules/statistics/period.ts';
import type { StatisticReader } from '../../database/statistic-read/statistic-read.queries.ts';

export interface StatisticQuestion extends StatisticReader {
  readonly period: Period;
  readonly before: Period;
  readonly now: number;
  readonly timeZone: string;
}

export interface StatisticParts {
  readonly figureList: StatisticFigure[];
  readonly seriesList: StatisticSeries[];
  readonly breakdownList: StatisticBreakdown[];
}

/** `none` stands where a unit has no row; null where it is not over yet. */
export function courseOf<R extends { readonly startTime: number }>(
  { period, before, now }: Pick<StatisticQuestion, 'period' | 'before' | 'now'>,
  rows: readonly R[],
  { valueOf, none }: { readonly valueOf: (row: R) => number | null; readonly none: number | null },
): Pick<StatisticSeries, 'valueList' | 'beforeList'> {
  const listOf = ({ starts, endTime }: Period): (number | null)[] => {
    const values: (number | null)[] = starts.map((start) => (start > now ? null : none));
    for (const row of rows) {
      if (row.startTime >= endTime) continue;
      // Days that were counted in another zone begin within a day of this one.
      const index = starts.findLastIndex((start) => start <= row.startTime);
      if (index >= 0) values[index] = valueOf(row);
    }
    return values;
  };
  return { valueList: listOf(period), beforeList: listOf(before) };
}

/** Null where nothing is known. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : (100 * part) / whole;
}

export function sumOf(values: readonly (number | null)[]): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

interface Counted {
  readonly key: string;
  readonly name: string;
  readonly isBefore: boolean;
}

type BreakdownRow = StatisticBreakdown['rowList'][number];

/** One row for each key, from what `valueOf` makes of its parts in the period and before; the largest first, or the smallest. */
export function breakdownOf<C extends Counted>(
  counted: readonly C[],
  {
    breakdown,
    unit,
    valueOf,
    smallestFirst = false,
  }: {
    readonly breakdown: StatisticBreakdownName;
    readonly unit: StatisticUnit;
    readonly valueOf: (parts: readonly C[]) => number | null;
    readonly smallestFirst?: boolean;
  },
): StatisticBreakdown {
  const rows = [...Map.groupBy(counted, ({ key }) => key)].map(([key, parts]): BreakdownRow => {
    const [now, before] = [parts.filter((one) => !one.isBefore), parts.filter((one) => one.isBefore)];
    return { key, name: parts[0]?.name ?? '', value: valueOf(now), before: valueOf(before) };
  });
  const sign = smallestFirst ? 1 : -1;
  // What has no value in the period comes last.
  const rank = ({ value }: BreakdownRow): number => (value === null ? Number.MAX_VALUE : sign * value);
  const order = (a: BreakdownRow, b: BreakdownRow): number => rank(a) - rank(b) || (a.key < b.key ? -1 : 1);
  return { breakdown, unit, total: rows.length, rowList: rows.toSorted(order).slice(0, STATISTIC_LIMITS.rows) };
}
