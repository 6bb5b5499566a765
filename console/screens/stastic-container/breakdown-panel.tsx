// One breakdown as a table whose values are bars too.
import type { StatisticBreakdown } from '@vedette/contract/calls/statistic.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { useId, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import style from './statistics.module.css';
import { rowText, valueText, type Words } from './statistic-words.ts';

export interface BreakdownPanelProps {
  readonly words: Words;
  readonly breakdown: StatisticBreakdown;
  readonly showsBefore: boolean;
}

const ROWS_AT_FIRST = 10;

export function BreakdownPanel({ words, breakdown, showsBefore }: BreakdownPanelProps) {
  const { t } = words;
  const { unit, rowList, total } = breakdown;
  const [isWhole, setIsWhole] = useState(false);
  const titleId = useId();
  const most = Math.max(unit === 'percent' ? 100 : 0, ...rowList.map(({ value }) => value ?? 0));
  const shown = isWhole ? rowList : rowList.slice(0, ROWS_AT_FIRST);
  return (
    <section className={style.panel} aria-labelledby={titleId}>
      <div className={style.panelHead}>
        <h3 id={titleId}>{t(`statistics.breakdown.${breakdown.breakdown}`)}</h3>
      </div>
      {rowList.length === 0 ? (
        <p className={style.sentence}>{t('statistics.nothingHere')}</p>
      ) : (
        <table className={style.table} aria-labelledby={titleId}>
          <thead>
            <tr>
              <th scope="col">{t('statistics.name')}</th>
              <th scope="col">{t('statistics.value')}</th>
              {showsBefore && <th scope="col">{t('statistics.periodBefore')}</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.key}>
                <th scope="row">
                  <span className={style.rowName}>{rowText(t, breakdown.breakdown, row)}</span>
                  <span className={style.bar} style={{ width: `${barPercent(row.value, most)}%` }} aria-hidden="true" />
                </th>
                <td>{valueText(words, row.value, unit)}</td>
                {showsBefore && <td>{valueText(words, row.before, unit)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rowList.length > ROWS_AT_FIRST && (
        <Button look="quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? t('statistics.fewer') : moreText(t, rowList.length, total)}
        </Button>
      )}
    </section>
  );
}

function barPercent(value: number | null, most: number): number {
  return most <= 0 ? 0 : (100 * (value ?? 0)) / most;
}

function moreText(t: Translate, shown: number, total: number): string {
  return shown === total ? t('statistics.all', { total }) : t('statistics.most', { shown, total });
}
