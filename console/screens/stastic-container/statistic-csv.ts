// Statistics as rows of a CSV file: figures, courses and breakdowns below each other, with plain numbers and their units.
import type { Statistics } from '@vedette/contract/calls/statistic.ts';
import { writeCsv } from '@vedette/rules/csv/csv.ts';
import { rowText, type Words } from './statistic-words.ts';

/** Times are ISO 8601 in UTC. */
export function statisticCsv(
  { t }: Pick<Words, 't'>,
  { period, figureList, seriesList, breakdownList }: Statistics,
): string {
  const head = ['what', 'of', 'key', 'value', 'before', 'unit'] as const;
  const figures = figureList.map(({ figure, unit, value, before }) => [
    t(`statistics.figure.${figure}`),
    '',
    '',
    numberOf(value),
    numberOf(before),
    unit,
  ]);
  const courses = seriesList.flatMap(({ series, unit, valueList, beforeList }) =>
    valueList.map((value, index) => [
      t(`statistics.series.${series}`),
      new Date(period.timeList[index] ?? 0).toISOString(),
      '',
      numberOf(value),
      numberOf(beforeList[index] ?? null),
      unit,
    ]),
  );
  const rows = breakdownList.flatMap(({ breakdown, unit, rowList }) =>
    rowList.map((row) => [
      t(`statistics.breakdown.${breakdown}`),
      rowText(t, breakdown, row),
      row.key,
      numberOf(row.value),
      numberOf(row.before),
      unit,
    ]),
  );
  return writeCsv([head.map((name) => t(`statistics.column.${name}`)), ...figures, ...courses, ...rows]);
}

function numberOf(value: number | null): string {
  return value === null ? '' : String(Math.round(value * 1000) / 1000);
}
