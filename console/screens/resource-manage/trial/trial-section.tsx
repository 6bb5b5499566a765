// Trials: what was asked for, what runs and until when, and for the operator what waits for an answer.
import { IconPlus } from '@tabler/icons-react';
import type { Trial } from '@vedette/contract/calls/trial.ts';
import { USER_TYPE } from '@vedette/contract/enumerations.ts';
import { DAY_MS } from '@vedette/foundation/units/durations.ts';
import { formatDateTime } from '@vedette/rules/time-format.ts';
import { useState } from 'react';
import { failureText } from '../../../calls/failure-text.ts';
import { useT } from '../../../language/use-t.ts';
import { useTimeFormat } from '../../../language/use-time-format.ts';
import { useServices } from '../../../services/services.ts';
import { useAuth } from '../../../session/auth-store.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { SkeletonLines } from '../../../ui/feedback/state-view.tsx';
import { StatusDot, type StatusTone } from '../../../ui/feedback/status-dot.tsx';
import { SettingsSection } from '../../../ui/layout/settings-section.tsx';
import { ApplyDialog } from './apply-dialog.tsx';
import { DecideDialog } from './decide-dialog.tsx';
import style from '../../../ui/layout/titled-rows.module.css';
import { useTrials } from './trial.query.ts';

export function TrialSection() {
  const t = useT();
  const userType = useAuth((auth) => auth.userType);
  const isOperator = userType === USER_TYPE.super;
  const mayApply = !isOperator && userType !== USER_TYPE.sub;
  const { data: trials = [] } = useTrials();
  const [isApplying, setApplying] = useState(false);
  const waits = trials.some(({ state }) => state === 'applied');
  return (
    <SettingsSection title={t('trial.title')} lead={t(isOperator ? 'trial.leadOperator' : 'trial.lead')}>
      <Ending trials={isOperator ? [] : trials} />
      <TrialList isOperator={isOperator} />
      {mayApply && (
        <Button
          className={style.add}
          icon={<IconPlus size={15} stroke={2} aria-hidden="true" />}
          disabled={waits}
          onClick={() => setApplying(true)}
        >
          {t('trial.apply')}
        </Button>
      )}
      {mayApply && waits && <p className={style.hint}>{t('trial.waits')}</p>}
      {isApplying && <ApplyDialog onClose={() => setApplying(false)} />}
    </SettingsSection>
  );
}

/** A day ahead: what is there stays, but nothing can be added then. */
function Ending({ trials }: { readonly trials: readonly Trial[] }) {
  const t = useT();
  const format = useTimeFormat();
  const { clock } = useServices();
  const soon = trials.flatMap(({ state, endTime }) =>
    state === 'running' && endTime !== null && endTime - clock.wallMs() < DAY_MS ? [endTime] : [],
  );
  if (soon.length === 0) return null;
  return (
    <Notice tone="warning">{t('trial.endsSoon', { time: formatDateTime(Math.min(...soon), format, false) })}</Notice>
  );
}

function TrialList({ isOperator }: { readonly isOperator: boolean }) {
  const t = useT();
  const { data, isPending, error, refetch } = useTrials();
  const [deciding, setDeciding] = useState<Trial | null>(null);
  if (isPending) return <SkeletonLines label={t('common.loading')} rows={2} rowHeight={44} />;
  if (data === undefined)
    return (
      <Notice tone="error" action={<Button onClick={() => void refetch()}>{t('common.retry')}</Button>}>
        {t('trial.error')} {failureText(t, error)}
      </Notice>
    );
  if (data.length === 0) return <p className={style.hint}>{t(isOperator ? 'trial.noneOperator' : 'trial.none')}</p>;
  return (
    <>
      <ul className={style.rows} aria-label={t('trial.title')}>
        {data.map((trial) => (
          <TrialRow key={trial.trialId} trial={trial} isOperator={isOperator} onDecide={() => setDeciding(trial)} />
        ))}
      </ul>
      {deciding !== null && <DecideDialog trial={deciding} onClose={() => setDeciding(null)} />}
    </>
  );
}

const TONES: Readonly<Record<Trial['state'], StatusTone>> = {
  applied: 'warning',
  running: 'online',
  refused: 'offline',
  ended: 'unknown',
};

interface TrialRowProps {
  readonly trial: Trial;
  readonly isOperator: boolean;
  readonly onDecide: () => void;
}

function TrialRow({ trial, isOperator, onDecide }: TrialRowProps) {
  const t = useT();
  const format = useTimeFormat();
  const { state, extraList, days, note, applyTime, endTime, userName } = trial;
  const named = extraList.map(({ quota, amount }) => t('trial.more', { amount, resource: t(`quotas.of.${quota}`) }));
  const used = extraList.map(({ used: count, total }) => t('trial.used', { used: count, total })).join(', ');
  const time = (at: number): string => formatDateTime(at, format, false);
  const facts = [
    ...(isOperator ? [userName] : []),
    state === 'applied' ? t('trial.asked', { days, time: time(applyTime) }) : '',
    state === 'running' ? used : '',
    endTime !== null ? t(state === 'ended' ? 'trial.endedAt' : 'trial.endsAt', { time: time(endTime) }) : '',
    note,
  ].filter((fact) => fact !== '');
  return (
    <li className={style.row} data-state={state}>
      <div className={style.text}>
        <span className={style.name}>{named.join(', ')}</span>
        <span className={style.facts}>{facts.join(' · ')}</span>
      </div>
      <span className={style.status}>
        <StatusDot tone={TONES[state]} label={t(`trial.state.${state}`)} />
      </span>
      {isOperator && state === 'applied' ? <Button onClick={onDecide}>{t('trial.decide')}</Button> : <span />}
    </li>
  );
}
