// One rule in the inspector: which alarms, from where, when, and what is done.
import {
  ALARM_GROUPS,
  ALARM_SEVERITIES,
  type AlarmSeverity,
  RAISED_ALARM_TYPE_NAMES,
} from '@vedette/contract/alarm-types.ts';
import type { AlarmChannel } from '@vedette/contract/calls/alarm-rule.ts';
import { ALARM_RULE_LIMITS } from '@vedette/contract/limits.ts';
import { useMemo, useState } from 'react';
import { failureText } from '../../calls/failure-text.ts';
import { useUnsaved } from '../unsaved/use-unsaved.ts';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { Section } from '../../ui/layout/facts.tsx';
import { Inspector } from '../../ui/overlays/inspector.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './alarm-rule.module.css';
import { useRuleActions } from './alarm-rule.query.ts';
import { ChoiceChips } from './choice-chips.tsx';
import { HoursField } from './hours-field.tsx';
import { RuleActions } from './rule-actions.tsx';
import { isRuleWhole, kindsOf, type RuleDraft, type RuleBurst, sourceKey, sourceOf, withKinds } from './rule-draft.ts';
import { useCameraOptions, useSourceOptions } from './source-options.ts';

export interface RuleFormProps {
  readonly rule: RuleDraft;
  readonly flood: RuleBurst | null;
  readonly channels: readonly AlarmChannel[];
  readonly onClose: () => void;
}

function useKindOptions() {
  const t = useT();
  return useMemo(
    () => [
      ...ALARM_GROUPS.map((group) => ({ value: `group:${group}`, label: `${t(`alarmGroup_${group}`)} ·` })),
      ...RAISED_ALARM_TYPE_NAMES.map((type) => ({ value: `type:${type}`, label: t(`alarmType_${type}`) })),
    ],
    [t],
  );
}

export function RuleForm({ rule, flood, channels, onClose }: RuleFormProps) {
  const t = useT();
  const { saveRule } = useRuleActions();
  const [draft, setDraft] = useState(rule);
  const leave = useUnsaved(JSON.stringify(draft) !== JSON.stringify(rule));
  const kinds = useKindOptions();
  const sources = useSourceOptions();
  const cameras = useCameraOptions();
  const change = (part: Partial<RuleDraft>): void => setDraft({ ...draft, ...part });
  const save = (): void => saveRule.mutate({ ...draft, name: draft.name.trim() }, { onSuccess: onClose });
  return (
    <Inspector
      title={t(rule.ruleId === undefined ? 'alarmRules.new' : 'alarmRules.edit')}
      closeLabel={t('common.close')}
      onClose={() => leave(onClose)}
      isFocused
      footer={
        <div className={style.buttons}>
          <Button look="primary" isBusy={saveRule.isPending} disabled={!isRuleWhole(draft)} onClick={save}>
            {t('alarmRules.save')}
          </Button>
          <Button onClick={() => leave(onClose)}>{t('alarmRules.cancel')}</Button>
        </div>
      }
    >
      <div className={style.form}>
        {saveRule.error !== null && <Notice tone="error">{failureText(t, saveRule.error)}</Notice>}
        {flood !== null && <BurstNotice flood={flood} pauseS={draft.pauseS} onPause={(pauseS) => change({ pauseS })} />}
        <TextField
          label={t('alarmRules.name')}
          value={draft.name}
          maxLength={64}
          autoComplete="off"
          onValue={(name) => change({ name })}
        />
        <Section title={t('alarmRules.what')}>
          <div className={style.fields}>
            <ChoiceChips
              label={t('alarmRules.addKind')}
              nothing={t('alarmRules.anyKind')}
              chosen={kindsOf(draft)}
              options={kinds}
              onChosen={(chosen) => setDraft(withKinds(draft, chosen))}
            />
            <SelectField
              label={t('alarmRules.leastSeverity')}
              value={draft.leastSeverity}
              options={ALARM_SEVERITIES.map((severity) => ({ value: severity, label: t(`severity_${severity}`) }))}
              onValue={(leastSeverity) => change({ leastSeverity: leastSeverity as AlarmSeverity })}
            />
          </div>
        </Section>
        <Section title={t('alarmRules.where')}>
          <div className={style.fields}>
            <ChoiceChips
              label={t('alarmRules.addSource')}
              nothing={t('alarmRules.everywhere')}
              chosen={draft.sources.map(sourceKey)}
              options={sources}
              onChosen={(chosen) => change({ sources: chosen.map(sourceOf) })}
            />
          </div>
        </Section>
        <Section title={t('alarmRules.when')}>
          <div className={style.fields}>
            <HoursField
              label={t('alarmRules.when')}
              plan={draft.plan}
              timeZone={draft.timeZone}
              titleOfPlan={t('alarmRules.planTitle')}
              nameOfType={t('alarmRules.planType')}
              nameOfNone={t('alarmRules.always')}
              onPlan={(plan) => change({ plan })}
            />
            <NumberField
              label={t('alarmRules.pause')}
              hint={t('alarmRules.pauseHint')}
              value={draft.pauseS}
              min={0}
              max={ALARM_RULE_LIMITS.pauseS}
              unit={t('unit.seconds')}
              onValue={(value) => change({ pauseS: Math.min(Math.max(value ?? 0, 0), ALARM_RULE_LIMITS.pauseS) })}
            />
          </div>
        </Section>
        <Section title={t('alarmRules.then')}>
          <div className={style.fields}>
            <RuleActions
              actions={draft.actions}
              channels={channels}
              cameras={cameras}
              onActions={(actions) => change({ actions })}
            />
            {draft.actions.length === 0 && <span className={style.hint}>{t('alarmRules.needsAction')}</span>}
          </div>
        </Section>
      </div>
    </Inspector>
  );
}

interface BurstNoticeProps {
  readonly flood: RuleBurst;
  readonly pauseS: number;
  readonly onPause: (pauseS: number) => void;
}

function BurstNotice({ flood: { count, pauseS: calmer }, pauseS, onPause }: BurstNoticeProps) {
  const t = useT();
  if (calmer === null) return <Notice tone="info">{t('alarmRules.floodNarrow', { count })}</Notice>;
  const take = (
    <Button disabled={pauseS === calmer} onClick={() => onPause(calmer)}>
      {t('alarmRules.floodTake')}
    </Button>
  );
  return (
    <Notice tone="info" action={take}>
      {t('alarmRules.floodPause', { count, pause: calmer })}
    </Notice>
  );
}
