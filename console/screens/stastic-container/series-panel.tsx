// One course: its chart or its table, and what it says in a sentence.
import type { StatisticSeries } from '@vedette/contract/calls/statistic.ts';
import { useId, useState } from 'react';
import { Button } from '../../ui/buttons/button.tsx';
import { CourseChart } from './course-chart.tsx';
import style from './statistics.module.css';
import { type StatisticPeriod, seriesSentence, timeText, valueText, type Words } from './statistic-words.ts';

export interface SeriesPanelProps {
  readonly words: Words;
  readonly series: StatisticSeries;
  readonly period: StatisticPeriod;
  readonly showsBefore: boolean;
}

export function SeriesPanel(props: SeriesPanelProps) {
  const { words, series, period } = props;
  const { t } = words;
  const [isTable, setIsTable] = useState(false);
  const titleId = useId();
  const name = t(`statistics.series.${series.series}`);
  return (
    <section className={style.panel} aria-labelledby={titleId}>
      <div className={style.panelHead}>
        <h3 id={titleId}>{name}</h3>
        <Button look="quiet" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          {isTable ? t('statistics.asChart') : t('statistics.asTable')}
        </Button>
      </div>
      {isTable ? <SeriesTable {...props} /> : <CourseChart {...props} />}
      <p className={style.sentence}>{seriesSentence(words, series, period)}</p>
    </section>
  );
}

function SeriesTable({ words, series, period, showsBefore }: SeriesPanelProps) {
  const { t } = words;
  return (
    <div className={style.tableBox}>
      <table className={style.table} aria-label={t(`statistics.series.${series.series}`)}>
        <thead>
          <tr>
            <th scope="col">{t('statistics.time')}</th>
            <th scope="col">{t('statistics.value')}</th>
            {showsBefore && <th scope="col">{t('statistics.periodBefore')}</th>}
          </tr>
        </thead>
        <tbody>
          {period.timeList.map((at, index) => (
            <tr key={at}>
              <th scope="row">{timeText(words, at, period)}</th>
              <td>{valueText(words, series.valueList[index] ?? null, series.unit)}</td>
              {showsBefore && <td>{valueText(words, series.beforeList[index] ?? null, series.unit)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
