// Alarms by week day and hour: a table whose cells are shaded by their counts.
import type { StatisticBreakdown } from '@vedette/contract/calls/statistic.ts';
import { useId } from 'react';
import style from './statistics.module.css';
import { NOTHING, valueText, type Words } from './statistic-words.ts';

const HOURS = Array.from({ length: 24 }, (_none, hour) => hour);
const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
/** A Monday, by which week days are named. */
const MONDAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

export function WeekHoursPanel({
  words,
  breakdown,
}: {
  readonly words: Words;
  readonly breakdown: StatisticBreakdown;
}) {
  const { t } = words;
  const titleId = useId();
  const counts = new Map(breakdown.rowList.map(({ key, value }) => [key, value ?? 0]));
  const most = Math.max(1, ...counts.values());
  const dayNames = new Intl.DateTimeFormat(t.shown, { weekday: 'short', timeZone: 'UTC' });
  return (
    <section className={style.panel} data-wide aria-labelledby={titleId}>
      <div className={style.panelHead}>
        <h3 id={titleId}>{t('statistics.breakdown.alarmsByHourOfWeek')}</h3>
      </div>
      {breakdown.rowList.length === 0 ? (
        <p className={style.sentence}>{t('statistics.noWeekHours')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keys
        <div className={style.tableBox} tabIndex={0} role="region" aria-labelledby={titleId}>
          <table className={style.week} aria-labelledby={titleId}>
            <thead>
              <tr>
                <th scope="col">{t('statistics.time')}</th>
                {HOURS.map((hour) => (
                  <th key={hour} scope="col">
                    {hour}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {DAYS.map((day) => (
                <tr key={day}>
                  <th scope="row">{dayNames.format(MONDAY + (day - 1) * DAY_MS)}</th>
                  {HOURS.map((hour) => {
                    const count = counts.get(`${day} ${hour}`);
                    return (
                      <td key={hour} style={{ '--share': `${Math.round((100 * (count ?? 0)) / most)}%` } as object}>
                        {count === undefined ? NOTHING : valueText(words, count, 'count')}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
