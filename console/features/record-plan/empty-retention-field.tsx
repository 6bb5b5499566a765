// How long recordings stay in which edge intelligence saw none of some classes: which classes, and how many days.
import type { RecordPlan } from '@vedette/contract/calls/record-plan.ts';
import { OBJECT_CLASSES } from '@vedette/contract/enumerations.ts';
import { RECORD_LIMITS } from '@vedette/contract/limits.ts';
import { useT } from '../../language/use-t.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { NumberField } from '../../ui/fields/number-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import style from './record-plan.module.css';

type EmptyRetention = RecordPlan['emptyRetention'];

export interface EmptyRetentionFieldProps {
  readonly value: EmptyRetention;
  /** Of recordings that are not empty; null: no limit. */
  readonly retentionDays: number | null;
  readonly onValue: (value: EmptyRetention) => void;
}

const USUAL = { classList: ['person'] as const, days: 3 };

export function EmptyRetentionField({ value, retentionDays, onValue }: EmptyRetentionFieldProps) {
  const t = useT();
  const most = Math.max(1, (retentionDays ?? RECORD_LIMITS.retentionDays + 1) - 1);
  return (
    <div className={style.empty}>
      <SwitchField
        label={t('recordPlan.empty')}
        isOn={value !== null}
        onToggle={(isOn) =>
          onValue(isOn ? { classList: [...USUAL.classList], days: Math.min(most, USUAL.days) } : null)
        }
      />
      {value !== null && (
        <fieldset className={style.classes}>
          <legend>{t('recordPlan.emptyClasses')}</legend>
          {OBJECT_CLASSES.map((one) => (
            <CheckBox
              key={one}
              label={t(`edge.class.${one}`)}
              isOn={value.classList.includes(one)}
              // The last one stays: without a class every recording would be empty.
              disabled={value.classList.length === 1 && value.classList.includes(one)}
              onToggle={(isOn) =>
                onValue({
                  ...value,
                  classList: OBJECT_CLASSES.filter((other) => (other === one ? isOn : value.classList.includes(other))),
                })
              }
            />
          ))}
          <NumberField
            label={t('recordPlan.emptyDays')}
            value={value.days}
            min={1}
            max={most}
            unit={t('recordPlan.days')}
            hint={t('recordPlan.emptyHint')}
            onValue={(days) => onValue({ ...value, days: Math.max(1, Math.min(most, Math.round(days ?? 1))) })}
          />
        </fieldset>
      )}
    </div>
  );
}
