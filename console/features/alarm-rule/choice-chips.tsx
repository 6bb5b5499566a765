// Several of many: what is chosen as chips that can be taken away, and a list to choose more from.
import { IconX } from '@tabler/icons-react';
import { useT } from '../../language/use-t.ts';
import { SelectField, type SelectOption } from '../../ui/fields/select-field.tsx';
import style from './alarm-rule.module.css';

export interface ChoiceChipsProps {
  readonly label: string;
  /** Shown while nothing is chosen. */
  readonly nothing: string;
  readonly chosen: readonly string[];
  readonly options: readonly SelectOption[];
  readonly onChosen: (chosen: string[]) => void;
}

export function ChoiceChips({ label, nothing, chosen, options, onChosen }: ChoiceChipsProps) {
  const t = useT();
  const names = new Map(options.map(({ value, label: name }) => [value, name]));
  return (
    <div className={style.field}>
      <div className={style.chips}>
        {chosen.length === 0 && <span className={style.hint}>{nothing}</span>}
        {chosen.map((value) => {
          const name = names.get(value) ?? value;
          return (
            <span key={value} className={style.chip}>
              <span>{name}</span>
              <button
                type="button"
                className={style.drop}
                aria-label={t('alarmRules.leaveOut', { name })}
                onClick={() => onChosen(chosen.filter((one) => one !== value))}
              >
                <IconX size={13} stroke={2} aria-hidden="true" />
              </button>
            </span>
          );
        })}
      </div>
      <SelectField
        // Empty again after each choice.
        key={chosen.join()}
        label={label}
        isLabelHidden
        isSearchable
        nothingFound={t('alarms.nothingFound')}
        value={null}
        placeholder={label}
        options={options.filter(({ value }) => !chosen.includes(value))}
        onValue={(value) => onChosen([...chosen, value])}
      />
    </div>
  );
}
