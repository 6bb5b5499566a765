// What is left of the account's own monthly quotas: a bar for each that is limited, and a warning near its end.
import type { ResourceInfo } from '@vedette/contract/calls/resource.ts';
import { formatDate } from '@vedette/rules/time-format.ts';
import { amountText } from '../../features/consumption/amount-text.ts';
import { useResources } from '../../features/consumption/resource.query.ts';
import { shareOf, toneOf } from '../../features/consumption/use-share.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Notice } from '../../ui/feedback/notice.tsx';
import { UsageBar } from '../../ui/feedback/usage-bar.tsx';
import style from './cost-center.module.css';

/** When these are used up, watching goes on. */
const CDN_RESOURCES: ReadonlySet<ResourceInfo['resource']> = new Set(['cdnBytes', 'cdnMinutes']);

/** Nothing where no quota limits a month, and while that is not known. */
export function MonthBudget() {
  const { data } = useResources();
  const limited = data?.resourceList.filter(({ total, endTime }) => total !== null && endTime !== null) ?? [];
  return limited.map((resource) => <Budget key={resource.resource} resource={resource} />);
}

function Budget({ resource: { resource, unit, used, total, endTime } }: { readonly resource: ResourceInfo }) {
  const t = useT();
  const format = useTimeFormat();
  const most = total ?? 0;
  const name = t(`resources.of.${resource}`);
  const tone = toneOf(used, most);
  const words = { name, until: formatDate(endTime ?? 0, format) };
  return (
    <div className={style.budget} data-budget={resource}>
      <p>{t('consumption.budget', { name, used: amountText(t, used, unit), total: amountText(t, most, unit) })}</p>
      <UsageBar label={name} share={shareOf(used, most)} tone={tone} />
      {tone === 'warning' && <Notice tone="warning">{t('consumption.nearlyUsed', words)}</Notice>}
      {tone === 'danger' && (
        <Notice tone="error">
          {t(CDN_RESOURCES.has(resource) ? 'consumption.usedUpCdn' : 'consumption.usedUp', words)}
        </Notice>
      )}
    </div>
  );
}
