// Consumption as rows of a CSV file: the shown groups, then each day, with exact amounts and their units.
import type { CostGroup, MeterAmount } from '@vedette/contract/calls/cost.ts';
import { METERS } from '@vedette/contract/meters.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { writeCsv } from '@vedette/rules/csv/csv.ts';
import { rowName } from './cost-words.ts';
import type { Costs } from './cost.query.ts';

const COLUMNS = ['of', 'key', 'meter', 'amount', 'unit', 'cost', 'currency'] as const;

/** Times are ISO 8601 in UTC. */
export function costCsv(t: Translate, group: CostGroup, { summary, detail }: Costs): string {
  const currency = summary.prices?.currency ?? '';
  const rowsOf = (name: string, key: string, meterList: readonly MeterAmount[]): string[][] =>
    meterList.map(({ meter, amount, cost }) => {
      const priced = cost === null ? ['', ''] : [String(cost), currency];
      return [name, key, t(`consumption.meter.${meter}`), amount, METERS[meter].unit, ...priced];
    });
  return writeCsv([
    COLUMNS.map((name) => t(`consumption.column.${name}`)),
    ...summary.rowList.flatMap((row) => rowsOf(rowName(t, group, row), row.key, row.meterList)),
    ...detail.dayList.flatMap(({ startTime, meterList }) => rowsOf(new Date(startTime).toISOString(), '', meterList)),
  ]);
}
