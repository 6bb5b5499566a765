// costCenter: what was consumed over a range, by meter, organisation, account and day, and what it costs.
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { formatDate } from '@vedette/rules/time-format.ts';
import { useNavigate, useSearchParams } from 'react-router';
import { saveText } from '../../browser/save-text.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { useAuth } from '../../session/auth-store.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { AmountTable } from './amount-table.tsx';
import { type AskedCosts, isWhole, readAsked, writeAsked } from './asked-costs.ts';
import style from './cost-center.module.css';
import { CostControls } from './cost-controls.tsx';
import { costCsv } from './cost-csv.ts';
import { rowName } from './cost-words.ts';
import { type Costs, useCosts } from './cost.query.ts';
import { MeterTable } from './meter-table.tsx';
import { MonthBudget } from './month-budget.tsx';
import { PricePart } from './price-part.tsx';

export function CostCenterScreen() {
  const t = useT();
  const navigate = useNavigate();
  const [address] = useSearchParams();
  const asked = readAsked(address);
  const query = useCosts(asked);
  const { data } = query;
  const isOperator = useAuth((auth) => auth.userType === USER_TYPE.super);
  const save = (): void => {
    if (data !== undefined)
      saveText(`consumption-${asked.groupBy}-${asked.range}.csv`, costCsv(t, asked.groupBy, data));
  };
  return (
    <main className={style.screen}>
      <PageHeader title={t('screen.costs')}>
        <Button disabled={data === undefined} onClick={save}>
          {t('consumption.csv')}
        </Button>
      </PageHeader>
      <div className={style.work}>
        <CostControls asked={asked} onAsked={(next) => void navigate(writeAsked(next), { replace: true })} />
        <MonthBudget />
        <Report query={query} asked={asked} />
        {isOperator && data !== undefined && (
          <PricePart key={JSON.stringify(data.summary.prices)} prices={data.summary.prices} />
        )}
      </div>
    </main>
  );
}

interface ReportProps {
  readonly query: ReturnType<typeof useCosts>;
  readonly asked: AskedCosts;
}

function Report({ query, asked }: ReportProps) {
  const t = useT();
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  if (!isWhole(asked)) return <StateView title={t('statistics.chooseRange')} />;
  if (data === undefined) {
    if (error === null || isFetching) return <SkeletonLines label={t('common.loading')} rows={8} rowHeight={40} />;
    const retry = <Button onClick={() => void refetch()}>{t('common.retry')}</Button>;
    return <StateView role="alert" title={t('consumption.error')} detail={failureText(t, error)} action={retry} />;
  }
  return (
    <>
      {error !== null && (
        <Notice tone="error">
          {t('consumption.outdated')} {failureText(t, error)}
        </Notice>
      )}
      <div className={style.report} aria-busy={isPlaceholderData} data-stale={isPlaceholderData || undefined}>
        <Amounts costs={data} asked={asked} />
      </div>
    </>
  );
}

function Amounts({
  costs: { summary, detail },
  asked: { groupBy },
}: {
  readonly costs: Costs;
  readonly asked: AskedCosts;
}) {
  const t = useT();
  const zoned = { ...useTimeFormat(), timeZone: summary.period.timeZone };
  const { startTime, endTime, timeZone } = summary.period;
  const currency = summary.prices?.currency;
  const days = detail.dayList.map((day) => ({
    ...day,
    key: String(day.startTime),
    name: formatDate(day.startTime, zoned),
  }));
  if (summary.meterList.length === 0)
    return <StateView isSmall title={t('consumption.none')} detail={t('consumption.noneDetail')} />;
  return (
    <>
      <p className={style.note}>
        {t('consumption.period', { from: formatDate(startTime, zoned), to: formatDate(endTime - 1, zoned) })}
      </p>
      <MeterTable summary={summary} />
      {groupBy !== 'meter' && (
        <AmountTable
          title={t(`consumption.by.${groupBy}`)}
          firstColumn={t(`consumption.group.${groupBy}`)}
          rows={summary.rowList.map((row) => ({ ...row, name: rowName(t, groupBy, row) }))}
          currency={currency}
        />
      )}
      <AmountTable title={t('consumption.byDay')} firstColumn={t('consumption.day')} rows={days} currency={currency} />
      <p className={style.note}>{t('statistics.zone', { zone: timeZone })}</p>
    </>
  );
}
