// Alarms that nobody has handled, by severity, the most urgent first.
import { PATHS, tabPath } from '../../navigation/paths.ts';
import { Link } from 'react-router';
import { useT } from '../../language/use-t.ts';
import { StateView } from '../../ui/feedback/state-view.tsx';
import { NO_FILTER, writeFilter } from '../alarm/alarm-filter.ts';
import { OverviewPart } from './overview-part.tsx';
import style from './overview.module.css';
import { useOpenAlarmCounts } from './overview.query.ts';

const INBOX = `${tabPath(PATHS.alarmMsg)}?`;

export function OpenAlarms() {
  const t = useT();
  const query = useOpenAlarmCounts();
  return (
    <OverviewPart
      title={t('overview.alarms')}
      count={query.data?.total}
      to={INBOX + String(writeFilter({ ...NO_FILTER, state: 'new' }))}
      query={query}
    >
      {({ total, counts }) =>
        total === 0 ? (
          <StateView isSmall title={t('overview.noAlarms')} />
        ) : (
          <ul className={style.list}>
            {counts.map(({ severity, count }) => (
              <li key={severity}>
                <Link
                  className={style.row}
                  data-none={count === 0 || undefined}
                  to={INBOX + String(writeFilter({ ...NO_FILTER, state: 'new', severity }))}
                >
                  <span className={style.severity} data-severity={severity} aria-hidden="true" />
                  <span className={style.words}>{t(`severity_${severity}`)}</span>
                  <span className={style.number}>{count}</span>
                </Link>
              </li>
            ))}
          </ul>
        )
      }
    </OverviewPart>
  );
}
