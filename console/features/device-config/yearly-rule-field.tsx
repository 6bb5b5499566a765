// The day of a year on which the clocks change: which weekday of which month, and at what hour.
import type { YearlyRule } from '@vedette/contract/config/fields.ts';
import { useT } from '../../language/use-t.ts';
import { SelectField } from '../../ui/fields/select-field.tsx';
import style from './device-config.module.css';

export interface YearlyRuleFieldProps {
  readonly label: string;
  readonly rule: YearlyRule | null;
  readonly isChanged: boolean;
  readonly onRule: (rule: YearlyRule) => void;
}

const USUAL: YearlyRule = { month: 3, week: 5, weekday: 0, minute: 120 };
const HALF_HOURS = Array.from({ length: 48 }, (_, at) => at * 30);

export function YearlyRuleField({ label, rule, isChanged, onRule }: YearlyRuleFieldProps) {
  const t = useT();
  const shown = rule ?? USUAL;
  const name = (options: Intl.DateTimeFormatOptions, month: number, day: number) =>
    new Intl.DateTimeFormat(t.shown, { ...options, timeZone: 'UTC' }).format(Date.UTC(2023, month, day));
  const minutes = [...new Set([...HALF_HOURS, shown.minute])].sort((a, b) => a - b);
  const choices = {
    week: [1, 2, 3, 4, 5].map((week) => ({
      value: String(week),
      label: t(`config.week.${week as 1 | 2 | 3 | 4 | 5}`),
    })),
    // 1 January 2023 was a Sunday.
    weekday: [0, 1, 2, 3, 4, 5, 6].map((day) => ({ value: String(day), label: name({ weekday: 'long' }, 0, 1 + day) })),
    month: Array.from({ length: 12 }, (_, month) => ({
      value: String(month + 1),
      label: name({ month: 'long' }, month, 1),
    })),
    minute: minutes.map((minute) => ({
      value: String(minute),
      label: `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
    })),
  } as const;
  return (
    <div className={style.rule} role="group" aria-label={label} data-changed={isChanged || undefined}>
      <span className={style.lineLabel}>{label}</span>
      {(['week', 'weekday', 'month', 'minute'] as const).map((part) => (
        <SelectField
          key={part}
          label={`${label}: ${t(`config.rule.${part}`)}`}
          isLabelHidden
          value={String(shown[part])}
          options={choices[part]}
          onValue={(value) => onRule({ ...shown, [part]: Number(value) })}
        />
      ))}
    </div>
  );
}
