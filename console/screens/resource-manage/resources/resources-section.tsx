// What the account has of each resource: how much is used, of how much, and until when that counts.
import type { ResourceInfo } from '@vedette/contract/calls/resource.ts';
import { formatDate } from '@vedette/rules/time-format.ts';
import { failureText } from '../../../calls/failure-text.ts';
import { amountText } from '../../../features/consumption/amount-text.ts';
import { useResources } from '../../../features/consumption/resource.query.ts';
import { shareOf, toneOf } from '../../../features/consumption/use-share.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SkeletonLines, StateView } from '../../../ui/feedback/state-view.tsx';
import { UsageBar } from '../../../ui/feedback/usage-bar.tsx';
import style from './resources.module.css';

export function ResourcesSection() {
  const t = useT();
  const { data, error, isFetching, refetch } = useResources();
  if (data === undefined) {
    if (error === null || isFetching) return <SkeletonLines label={t('common.loading')} rows={6} rowHeight={40} />;
    const retry = <Button onClick={() => void refetch()}>{t('common.retry')}</Button>;
    return <StateView role="alert" title={t('resources.error')} detail={failureText(t, error)} action={retry} />;
  }
  return (
    <>
      {error !== null && (
        <Notice tone="error">
          {t('resources.outdated')} {failureText(t, error)}
        </Notice>
      )}
      <table className={style.table} aria-label={t('resources.title')}>
        <thead>
          <tr>
            <th scope="col">{t('resources.resource')}</th>
            <th scope="col">{t('resources.used')}</th>
            <th scope="col">{t('resources.total')}</th>
            <th scope="col">{t('resources.validUntil')}</th>
          </tr>
        </thead>
        <tbody>
          {data.resourceList.map((resource) => (
            <ResourceRow key={resource.resource} resource={resource} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function ResourceRow({ resource }: { readonly resource: ResourceInfo }) {
  const t = useT();
  const format = useTimeFormat();
  const { unit, used, total, endTime } = resource;
  const name = t(`resources.of.${resource.resource}`);
  return (
    <tr data-resource={resource.resource}>
      <th scope="row">
        {name}
        {total !== null && <UsageBar label={name} share={shareOf(used, total)} tone={toneOf(used, total)} />}
      </th>
      <td>{amountText(t, used, unit)}</td>
      <td>{total === null ? t('resources.unlimited') : amountText(t, total, unit)}</td>
      <td>{endTime === null ? t('resources.lasting') : formatDate(endTime, format)}</td>
    </tr>
  );
}
