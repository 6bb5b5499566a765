// The form of one channel's recording plan; a plan that changed meanwhile is shown, and what was typed is kept beside it.
import type { RecordPlan } from '@vedette/contract/calls/record-plan.ts';
import { RECORD_LIMITS } from '@vedette/contract/limits.ts';
import { useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useUnsaved } from '../unsaved/use-unsaved.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { showToast } from '../../ui/feedback/toast-store.ts';
import { PlanOverview } from '../time-plan/plan-overview.tsx';
import { EmptyRetentionField } from './empty-retention-field.tsx';
import { planOf, recordPresets, recordTypes, weekOf } from './plan-presets.ts';
import { type PlanChange, type PlanChannel, useSavePlan } from './record-plan.query.ts';
import style from './record-plan.module.css';

export interface RecordPlanFormProps {
  readonly channel: PlanChannel;
  readonly name: string;
  /** How many streams the channel has. */
  readonly streams: number;
  readonly plan: RecordPlan;
}

interface FormState {
  readonly draft: PlanChange;
  readonly version: number;
  readonly isBusy: boolean;
  readonly failure: unknown;
  /** What was to be saved when a newer plan came between. */
  readonly mine: PlanChange | null;
}

export function RecordPlanForm({ channel, name, streams, plan }: RecordPlanFormProps) {
  const t = useT();
  const save = useSavePlan(channel);
  const [form, setForm] = useState<FormState>(() => begin(plan, null));
  const { draft, version, isBusy, failure, mine } = form;
  const change = (part: Partial<PlanChange>): void => setForm({ ...form, draft: { ...draft, ...part }, failure: null });
  const isChanged = JSON.stringify(draft) !== JSON.stringify(begin(plan, null).draft);
  useUnsaved(isChanged);
  const submit = async (): Promise<void> => {
    setForm({ ...form, isBusy: true, failure: null });
    try {
      const answer = await save(draft, version);
      setForm(begin(answer.plan, answer.kind === 'newer' ? draft : null));
      if (answer.kind === 'saved') showToast('success', t('recordPlan.saved'));
    } catch (error) {
      setForm({ ...form, isBusy: false, failure: error });
    }
  };
  const types = recordTypes(t);
  const qualities = ([0, 1, 2] as const).filter((quality) => quality === draft.quality || quality < streams);
  return (
    <div className={style.form}>
      {mine !== null && (
        <Notice
          tone="warning"
          action={
            <Button onClick={() => setForm({ ...form, draft: mine, mine: null })}>{t('recordPlan.mineBack')}</Button>
          }
        >
          {t('recordPlan.newer')}
        </Notice>
      )}
      <PlanOverview
        title={t('recordPlan.dialog', { name })}
        editLabel={t('recordPlan.edit')}
        week={weekOf(draft)}
        types={types}
        presets={recordPresets(t)}
        hasHoliday
        isWide
        onWeek={(next) => change({ plan: planOf(next) })}
      >
        <ul className={style.legend}>
          {types.map(({ type, label, colour }) => (
            <li key={type}>
              <span className={style.swatch} style={{ background: `var(${colour})` }} aria-hidden="true" />
              {label}
            </li>
          ))}
          <li className={style.zone}>{t('recordPlan.zone', { zone: plan.timeZone })}</li>
        </ul>
      </PlanOverview>
      <SelectField
        label={t('recordPlan.stream')}
        value={String(draft.quality)}
        options={qualities.map((quality) => ({ value: String(quality), label: t(`recordPlan.stream${quality}`) }))}
        onValue={(value) => change({ quality: Number(value) as 0 | 1 | 2 })}
      />
      {streams > 1 && draft.quality === 0 && (
        <SwitchField
          label={t('recordPlan.secondStream')}
          isOn={draft.secondStream}
          onToggle={(secondStream) => change({ secondStream })}
        />
      )}
      <SwitchField
        label={t('recordPlan.fillsGaps')}
        isOn={draft.fillsGaps}
        onToggle={(fillsGaps) => change({ fillsGaps })}
      />
      <div className={style.pair}>
        <NumberField
          label={t('recordPlan.preRoll')}
          value={draft.preRoll}
          min={0}
          max={RECORD_LIMITS.preRollS}
          unit={t('recordPlan.seconds')}
          hint={t('recordPlan.preRollHint')}
          onValue={(value) => change({ preRoll: bounded(value ?? 0, 0, RECORD_LIMITS.preRollS) })}
        />
        <NumberField
          label={t('recordPlan.retention')}
          value={draft.retentionDays}
          min={1}
          max={RECORD_LIMITS.retentionDays}
          unit={t('recordPlan.days')}
          hint={t('recordPlan.retentionHint')}
          onValue={(value) => {
            change({ retentionDays: value === null ? null : bounded(value, 1, RECORD_LIMITS.retentionDays) });
          }}
        />
      </div>
      <EmptyRetentionField
        value={draft.emptyRetention}
        retentionDays={draft.retentionDays}
        onValue={(emptyRetention) => change({ emptyRetention })}
      />
      {failure !== null && <Notice tone="error">{failureText(t, failure)}</Notice>}
      <div className={style.actions}>
        <Button disabled={!isChanged || isBusy} onClick={() => setForm(begin(plan, null))}>
          {t('common.cancel')}
        </Button>
        <Button look="primary" disabled={!isChanged} isBusy={isBusy} onClick={() => void submit()}>
          {t('common.save')}
        </Button>
      </div>
    </div>
  );
}

function begin({ version, timeZone: _zone, plan, ...rest }: RecordPlan, mine: PlanChange | null): FormState {
  // In one order and with all days, so that two equal plans are equal texts.
  return { draft: { ...rest, plan: planOf(weekOf({ plan })) }, version, isBusy: false, failure: null, mine };
}

function bounded(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, Math.round(value)));
}
