// stasticContainer: statistics of devices, alarms, storage and traffic over a range, as charts, tables, CSV and a printed report.
import type { Statistics } from '@vedette/contract/calls/statistic.ts';
import { useMemo, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { saveText } from '../../browser/save-text.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { useChosenInView } from '../../ui/use-chosen-in-view.ts';
import { readAsked, writeAsked } from './asked-statistics.ts';
import { BreakdownPanel } from './breakdown-panel.tsx';
import { FigureCards } from './figure-cards.tsx';
import { RangePicker } from './range-picker.tsx';
import { SeriesPanel } from './series-panel.tsx';
import { type AskedStatistics, isWhole, STATISTIC_SECTIONS, useStatistics } from './statistic.query.ts';
import { statisticCsv } from './statistic-csv.ts';
import { periodText, type Words } from './statistic-words.ts';
import sectionLink from '../../ui/layout/section-link.module.css';
import style from './statistics.module.css';
import { WeekHoursPanel } from './week-hours-panel.tsx';

export function StasticContainerScreen() {
  const t = useT();
  const format = useTimeFormat();
  const words = useMemo((): Words => ({ t, format }), [t, format]);
  const navigate = useNavigate();
  const [address] = useSearchParams();
  const asked = readAsked(address);
  const [showsBefore, setShowsBefore] = useState(true);
  const query = useStatistics(asked);
  const { data } = query;
  return (
    <main className={style.screen}>
      <PageHeader title={t('screen.statistics')} fact={data && periodText(words, data.period)}>
        <Button disabled={data === undefined} onClick={() => data && saveCsv(words, asked, data)}>
          {t('statistics.csv')}
        </Button>
        <Button disabled={data === undefined} onClick={() => window.print()}>
          {t('statistics.print')}
        </Button>
      </PageHeader>
      <SectionLinks asked={asked} />
      <div className={style.work}>
        <div className={style.controls}>
          <RangePicker asked={asked} onAsked={(next) => void navigate(writeAsked(next), { replace: true })} />
          <SwitchField label={t('statistics.compare')} isOn={showsBefore} onToggle={setShowsBefore} />
        </div>
        <Report query={query} words={words} asked={asked} showsBefore={showsBefore} />
      </div>
    </main>
  );
}

function saveCsv(words: Words, { section, range }: AskedStatistics, data: Statistics): void {
  saveText(`statistics-${section}-${range}.csv`, statisticCsv(words, data));
}

function SectionLinks({ asked }: { readonly asked: AskedStatistics }) {
  const t = useT();
  const row = useChosenInView<HTMLElement>(`[data-section="${asked.section}"]`);
  return (
    <nav ref={row} className={style.sections} aria-label={t('statistics.sections')}>
      {STATISTIC_SECTIONS.map((section) => (
        <Link
          key={section}
          className={sectionLink.sectionLink}
          to={{ search: writeAsked({ ...asked, section }) }}
          data-section={section}
          aria-current={section === asked.section ? 'page' : undefined}
        >
          {t(`statistics.section.${section}`)}
        </Link>
      ))}
    </nav>
  );
}

interface ReportProps {
  readonly query: ReturnType<typeof useStatistics>;
  readonly words: Words;
  readonly asked: AskedStatistics;
  readonly showsBefore: boolean;
}

function Report({ query, words, asked, showsBefore }: ReportProps) {
  const { t } = words;
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  if (!isWhole(asked)) return <StateView title={t('statistics.chooseRange')} />;
  const retry = <Button onClick={() => void refetch()}>{t('common.retry')}</Button>;
  if (data === undefined) {
    if (error === null || isFetching) return <SkeletonLines label={t('common.loading')} rows={10} rowHeight={40} />;
    return <StateView role="alert" title={t('statistics.error')} detail={failureText(t, error)} action={retry} />;
  }
  return (
    <>
      {error !== null && (
        <Notice tone="error">
          {t('statistics.outdated')} {failureText(t, error)}
        </Notice>
      )}
      <div className={style.report} aria-busy={isPlaceholderData} data-stale={isPlaceholderData || undefined}>
        <FigureCards words={words} figures={data.figureList} showsBefore={showsBefore} />
        {isEmpty(data) && <StateView isSmall title={t('statistics.none')} detail={t('statistics.noneDetail')} />}
        <div className={style.panels}>
          {data.seriesList.map((series) => (
            <SeriesPanel
              key={series.series}
              words={words}
              series={series}
              period={data.period}
              showsBefore={showsBefore}
            />
          ))}
          {data.breakdownList.map((breakdown) =>
            breakdown.breakdown === 'alarmsByHourOfWeek' ? (
              <WeekHoursPanel key={breakdown.breakdown} words={words} breakdown={breakdown} />
            ) : (
              <BreakdownPanel key={breakdown.breakdown} words={words} breakdown={breakdown} showsBefore={showsBefore} />
            ),
          )}
        </div>
        <p className={style.zone}>{t('statistics.zone', { zone: data.period.timeZone })}</p>
      </div>
    </>
  );
}

/** Nothing was counted, in this period or before. */
function isEmpty({ seriesList }: Statistics): boolean {
  return seriesList.every(({ valueList, beforeList }) => [...valueList, ...beforeList].every((value) => !value));
}
