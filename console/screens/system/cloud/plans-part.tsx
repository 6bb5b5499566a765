// The cameras that copy their recordings into object stores: what is stored, what waits, and why.
import { IconDots, IconPlus } from '@tabler/icons-react';
import type { CloudPlan } from '@vedette/contract/calls/cloud.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { ConfirmDialog } from '../../../features/confirm/confirm-dialog.tsx';
import { sizeText } from '../../../language/size-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../../ui/feedback/state-view.tsx';
import { StatusDot, type StatusTone } from '../../../ui/feedback/status-dot.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useCloudChange, usePlans } from './cloud.query.ts';
import { PlanDialog } from './plan-dialog.tsx';

export function PlansPart() {
  const t = useT();
  const [isOpening, setOpening] = useState(false);
  const [closing, setClosing] = useState<CloudPlan | null>(null);
  return (
    <SettingsSection title={t('cloud.plans')} lead={t('cloud.plansLead')}>
      <PlanList onClose={setClosing} />
      <Button
        className={style.add}
        icon={<IconPlus size={15} stroke={2} aria-hidden="true" />}
        onClick={() => setOpening(true)}
      >
        {t('cloud.openPlan')}
      </Button>
      {isOpening && <PlanDialog onClose={() => setOpening(false)} />}
      {closing !== null && <ClosePlan plan={closing} onClose={() => setClosing(null)} />}
    </SettingsSection>
  );
}

function PlanList({ onClose }: { readonly onClose: (plan: CloudPlan) => void }) {
  const t = useT();
  const { data: plans, isPending, error, refetch } = usePlans();
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={2} rowHeight={44} />;
  if (plans === undefined)
    return (
      <Notice tone="error" action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>
        {t('cloud.plansError')} {failureText(t, error)}
      </Notice>
    );
  if (plans.length === 0) return <p className={style.hint}>{t('cloud.noPlans')}</p>;
  return (
    <ul className={style.rows} aria-label={t('cloud.plans')}>
      {plans.map((plan) => (
        <PlanRow key={`${plan.deviceSerial}/${plan.channelNo}`} plan={plan} onClose={() => onClose(plan)} />
      ))}
    </ul>
  );
}

function stateOf(
  t: Translate,
  { isKnown, waitingFiles, lostFiles, reason }: CloudPlan,
): { tone: StatusTone; label: string } {
  if (!isKnown) return { tone: 'unknown', label: t('cloud.unknown') };
  if (lostFiles > 0) return { tone: 'offline', label: t('cloud.lost', { count: lostFiles }) };
  if (reason !== null) return { tone: 'offline', label: t('cloud.failing', { reason: t(`cloud.reason.${reason}`) }) };
  return { tone: 'online', label: waitingFiles === 0 ? t('cloud.upToDate') : t('cloud.behind') };
}

function PlanRow({ plan, onClose }: { readonly plan: CloudPlan; readonly onClose: () => void }) {
  const t = useT();
  const format = useTimeFormat();
  const { comboType, days, storeName, storedBytes, waitingBytes, waitingSince, isKnown, channelName } = plan;
  const more = t('cloud.storeMore', { name: channelName });
  const facts = [
    t('cloud.keptFor', { what: t(`cloud.combo${comboType}`), days, store: storeName }),
    ...(isKnown ? [t('cloud.stored', { size: sizeText(t, storedBytes) })] : []),
    ...(waitingSince === null
      ? []
      : [t('cloud.waiting', { size: sizeText(t, waitingBytes), time: formatDateTime(waitingSince, format, false) })]),
  ];
  return (
    <li className={style.row}>
      <div className={style.text}>
        <span className={style.name}>{channelName}</span>
        <span className={style.facts}>{facts.join(' · ')}</span>
      </div>
      <span className={style.status}>
        <StatusDot {...stateOf(t, plan)} />
      </span>
      <Menu
        label={more}
        side="bottom-end"
        width={180}
        entries={[{ kind: 'item', label: t('cloud.close'), isDanger: true, onChoose: onClose }]}
      >
        <IconButton label={more} size="small" tipSide="left">
          <IconDots size={16} stroke={1.8} />
        </IconButton>
      </Menu>
    </li>
  );
}

function ClosePlan({ plan, onClose }: { readonly plan: CloudPlan; readonly onClose: () => void }) {
  const t = useT();
  const change = useCloudChange();
  const { deviceSerial, channelNo, channelName } = plan;
  return (
    <ConfirmDialog
      title={t('cloud.closeTitle', { name: channelName })}
      detail={t('cloud.closeDetail')}
      confirmLabel={t('cloud.close')}
      done={t('cloud.closed')}
      onConfirm={() => change('cloud/plan/close', { deviceSerial, channelNo })}
      onClose={onClose}
    />
  );
}
