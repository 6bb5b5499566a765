// Amounts of meters as a table: a row for each group or day, a column for each meter that has an amount, and the cost.
import type { MeterAmount } from '@vedette/contract/calls/cost.ts';
import { METER_NAMES } from '@vedette/contract/meters.ts';
import { useId } from 'react';
import { useT } from '../../language/use-t.ts';
import style from './cost-center.module.css';
import { meterText, moneyText, NOTHING, totalCost } from './cost-words.ts';

export interface AmountTableProps {
  readonly title: string;
  readonly firstColumn: string;
  readonly rows: readonly AmountRow[];
  /** Absent: without a column of costs. */
  readonly currency: string | undefined;
}

export interface AmountRow {
  readonly key: string;
  readonly name: string;
  readonly meterList: readonly MeterAmount[];
}

export function AmountTable({ title, firstColumn, rows, currency }: AmountTableProps) {
  const t = useT();
  const titleId = useId();
  const present = new Set(rows.flatMap(({ meterList }) => meterList.map(({ meter }) => meter)));
  const meters = METER_NAMES.filter((meter) => present.has(meter));
  return (
    <section className={style.panel} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys */}
      <div className={style.tableBox} tabIndex={0} role="region" aria-labelledby={titleId}>
        <table className={style.table} aria-labelledby={titleId}>
          <thead>
            <tr>
              <th scope="col">{firstColumn}</th>
              {meters.map((meter) => (
                <th key={meter} scope="col">
                  {t(`consumption.meter.${meter}`)}
                </th>
              ))}
              {currency !== undefined && <th scope="col">{t('consumption.cost')}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, meterList }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {meters.map((meter) => {
                  const found = meterList.find((one) => one.meter === meter);
                  return <td key={meter}>{found === undefined ? NOTHING : meterText(t, found)}</td>;
                })}
                {currency !== undefined && <td>{moneyText(t, totalCost(meterList), currency)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
