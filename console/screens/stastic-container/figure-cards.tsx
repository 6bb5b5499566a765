// The figures of a period, each with what it was in the period before.
import type { StatisticFigure } from '@vedette/contract/calls/statistic.ts';
import style from './statistics.module.css';
import { beforeText, valueText, type Words } from './statistic-words.ts';

export interface FigureCardsProps {
  readonly words: Words;
  readonly figures: readonly StatisticFigure[];
  readonly showsBefore: boolean;
}

export function FigureCards({ words, figures, showsBefore }: FigureCardsProps) {
  return (
    <dl className={style.figures}>
      {figures.map((figure) => (
        <div key={figure.figure} className={style.figure} data-figure={figure.figure}>
          <dt>{words.t(`statistics.figure.${figure.figure}`)}</dt>
          <dd className={style.amount}>{valueText(words, figure.value, figure.unit)}</dd>
          {showsBefore && figure.figure !== 'fullAt' && <dd className={style.before}>{beforeText(words, figure)}</dd>}
        </div>
      ))}
    </dl>
  );
}
