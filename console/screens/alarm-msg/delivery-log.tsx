// The log of what rules did: newest first, with why something did not arrive and when it is tried again.
import type { AlarmDelivery } from '@vedette/contract/calls/alarm-rule.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { failureText } from '../../calls/failure-text.ts';
import { useDeliveries } from '../../features/alarm-rule/alarm-rule.query.ts';
import { alarmTypeText } from '../../features/alarm/alarm-words.ts';
import { useT } from '../../language/use-t.ts';
import { useTimeFormat } from '../../language/use-time-format.ts';
import { Button } from '../../ui/buttons/button.tsx';
import rows from '../../ui/layout/list-rows.module.css';
import { SkeletonLines, StateView } from '../../ui/feedback/state-view.tsx';
import style from './centre-view.module.css';

export function DeliveryLog() {
  const t = useT();
  const { data, isPending, error, refetch } = useDeliveries();
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={4} rowHeight={48} />;
  if (data === undefined)
    return (
      <StateView
        isSmall
        role="alert"
        title={t('alarmChannels.logError')}
        detail={failureText(t, error)}
        action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}
      />
    );
  if (data.length === 0) return <p className={style.lead}>{t('alarmChannels.logEmpty')}</p>;
  return (
    <ul className={`${rows.list} ${style.list}`} aria-label={t('alarmChannels.log')}>
      {data.map((delivery) => (
        <LogRow key={delivery.deliveryId} delivery={delivery} />
      ))}
    </ul>
  );
}

function LogRow({ delivery }: { readonly delivery: AlarmDelivery }) {
  const t = useT();
  const format = useTimeFormat();
  const { action, channelName, ruleName, type, state, reason, detail, attempts, foldedCount, time } = delivery;
  const acted = channelName === '' ? (t.find(`alarmRules.action_${action}`) ?? action) : channelName;
  const why = [
    reason === null ? '' : t(`deliveryReason_${reason}`),
    detail,
    attempts > 1 ? t.plural('alarmChannels.attempts', attempts) : '',
    foldedCount > 0 ? t.plural('alarmChannels.folded', foldedCount) : '',
  ].filter((text) => text !== '');
  const said = [ruleName, ...why].filter((text) => text !== '').join(' · ');
  return (
    <li className={rows.row} data-delivery={state}>
      <div className={`${rows.words} ${style.words}`}>
        <span className={rows.name}>
          {alarmTypeText(t, type)} → {acted}
        </span>
        <span className={style.detail} title={said}>
          {said}
        </span>
      </div>
      <span className={style.state} data-state={state}>
        {t(`deliveryState_${state}`)}
      </span>
      <span className={style.last}>{formatDateTime(time, format)}</span>
    </li>
  );
}
