// The control of one field, chosen by its kind; places on the picture are set on the picture itself.
import type { Field, RangeLimits, WeekTimes, YearlyRule } from '@vedette/contract/config/fields.ts';
import type { FieldProblem } from '@vedette/rules/validation/field-problem.ts';
import type { ReactNode } from 'react';
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
  const error = problemText(t, problem);
  const usual = { name, label: fieldText(t, name), value, limits, isChanged, error, onValue };
  switch (field.kind) {
    case 'range':
      return <RangeControl {...usual} unit={field.unit} />;
    case 'choice':
      return <ChoiceControl {...usual} />;
    case 'flag':
      return (
        <Line {...usual} isLabelled={false}>
          <SwitchField label={usual.label} isOn={value === true} onToggle={onValue} />
        </Line>
      );
    case 'text':
      return <TextControl {...usual} />;
    case 'several':
      return <SeveralControl {...usual} />;
    case 'week':
      return (
        <WeekField
          label={usual.label}
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
          label={usual.label}
          rule={(value as YearlyRule | undefined) ?? null}
          isChanged={isChanged}
          onRule={onValue}
        />
      );
    default:
      return null;
  }
}

interface ControlProps extends Pick<FieldControlProps, 'name' | 'value' | 'limits' | 'isChanged' | 'onValue'> {
  readonly label: string;
  readonly error: string | null;
}

interface LineProps extends Pick<ControlProps, 'label' | 'isChanged'> {
  /** False where the control shows its label itself. */
  readonly isLabelled?: boolean;
  readonly children: ReactNode;
}

function Line({ label, isChanged, isLabelled = true, children }: LineProps) {
  return (
    <div className={style.line} data-changed={isChanged || undefined}>
      {isLabelled && <span className={style.lineLabel}>{label}</span>}
      {children}
    </div>
  );
}

type RangeUnit = Extract<Field, { kind: 'range' }>['unit'];

function RangeControl({ unit, label, value, limits, error, isChanged, onValue }: ControlProps & { unit: RangeUnit }) {
  const t = useT();
  const usual = { label, value: Number(value ?? 0), isChanged, onValue };
  if (unit === 'utcMinutes') return <UtcOffsetField {...usual} limits={limits as RangeLimits} />;
  return <RangeField {...usual} {...(limits as RangeLimits)} unit={unitText(t, unit)} error={error} />;
}

function ChoiceControl({ name, label, value, limits, isChanged, onValue }: ControlProps) {
  const t = useT();
  const options = (limits as { options: readonly string[] }).options.map((word) => ({
    value: word,
    label: wordText(t, name, word),
  }));
  if (options.length < 2) return null;
  const isShort = options.length <= MOST_SEGMENTS;
  const usual = { label, value: String(value ?? ''), options, onValue };
  return (
    <Line label={label} isChanged={isChanged}>
      {isShort ? <Segmented {...usual} isWide /> : <SelectField {...usual} isLabelHidden />}
    </Line>
  );
}

function TextControl({ label, value, error, isChanged, onValue }: ControlProps) {
  return (
    <Line label={label} isChanged={isChanged}>
      <TextField aria-label={label} value={String(value ?? '')} error={error} spellCheck={false} onValue={onValue} />
    </Line>
  );
}

function SeveralControl({ name, label, value, limits, isChanged, onValue }: ControlProps) {
  const t = useT();
  const { options } = limits as { options: readonly string[] };
  const chosen = (value ?? []) as readonly string[];
  return (
    <Line label={label} isChanged={isChanged}>
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
    </Line>
  );
}
