// The control of one field, chosen by its kind; places on the picture are set on the picture itself.
import type { Field, RangeLimits, WeekTimes, YearlyRule } from '@vedette/contract/config/fields.ts';
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';
import { useT } from '../../language/use-t.ts';
import { CheckBox } from '../../ui/fields/check-box.tsx';
import { RangeField } from '../../ui/fields/range-field.tsx';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import style from './device-config.module.css';
import { fieldText, problemText, unitText, wordText } from './field-words.ts';
import { UtcOffsetField } from './utc-offset-field.tsx';
import { WeekField } from './week-field.tsx';
import { YearlyRuleField } from './yearly-rule-field.tsx';

export interface FieldControlProps {
  readonly name: string;
  readonly field: Field;
  readonly value: unknown;
  readonly limits: unknown;
  readonly isChanged: boolean;
  readonly problem: FieldProblem | undefined;
  readonly onValue: (value: unknown) => void;
}

/** More choices than that want a list. */
const MOST_SEGMENTS = 3;

export function FieldControl({ name, field, value, limits, isChanged, problem, onValue }: FieldControlProps) {
  const t = useT();
  const label = fieldText(t, name);
  const error = problemText(t, problem);
  switch (field.kind) {
    case 'range':
      if (field.unit === 'utcMinutes')
        return (
          <UtcOffsetField
            label={label}
            value={Number(value ?? 0)}
            limits={limits as RangeLimits}
            isChanged={isChanged}
            onValue={onValue}
          />
        );
      return (
        <RangeField
          label={label}
          value={Number(value ?? 0)}
          {...(limits as RangeLimits)}
          unit={unitText(t, field.unit)}
          error={error}
          isChanged={isChanged}
          onValue={onValue}
        />
      );
    case 'choice': {
      const options = (limits as { options: readonly string[] }).options.map((word) => ({
        value: word,
        label: wordText(t, name, word),
      }));
      if (options.length < 2) return null;
      const isShort = options.length <= MOST_SEGMENTS;
      return (
        <div className={style.line} data-changed={isChanged || undefined}>
          <span className={style.lineLabel}>{label}</span>
          {isShort ? (
            <Segmented label={label} value={String(value ?? '')} options={options} onValue={onValue} isWide />
          ) : (
            <SelectField label={label} isLabelHidden value={String(value ?? '')} options={options} onValue={onValue} />
          )}
        </div>
      );
    }
    case 'flag':
      return (
        <div className={style.line} data-changed={isChanged || undefined}>
          <SwitchField label={label} isOn={value === true} onToggle={onValue} />
        </div>
      );
    case 'text':
      return (
        <div className={style.line} data-changed={isChanged || undefined}>
          <span className={style.lineLabel}>{label}</span>
          <TextField
            aria-label={label}
            value={String(value ?? '')}
            error={error}
            spellCheck={false}
            onValue={onValue}
          />
        </div>
      );
    case 'several': {
      const { options } = limits as { options: readonly string[] };
      const chosen = (value ?? []) as readonly string[];
      return (
        <div className={style.line} data-changed={isChanged || undefined}>
          <span className={style.lineLabel}>{label}</span>
          <fieldset className={style.several} aria-label={label}>
            {options.map((word) => (
              <CheckBox
                key={word}
                label={wordText(t, name, word)}
                isOn={chosen.includes(word)}
                onToggle={(isOn) => onValue(options.filter((one) => (one === word ? isOn : chosen.includes(one))))}
              />
            ))}
          </fieldset>
        </div>
      );
    }
    case 'week':
      return (
        <WeekField
          label={label}
          value={(value ?? []) as WeekTimes}
          limits={limits as { most: number; hasHoliday: boolean }}
          isChanged={isChanged}
          error={error}
          onValue={onValue}
        />
      );
    case 'rule':
      return (
        <YearlyRuleField
          label={label}
          rule={(value as YearlyRule | undefined) ?? null}
          isChanged={isChanged}
          onRule={onValue}
        />
      );
    default:
      return null;
  }
}
