// Copies the day in hand to the days that are ticked.
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import style from './plan-dialog.module.css';

export interface CopyDayProps {
  readonly day: number;
  readonly days: readonly number[];
  readonly dayNames: readonly string[];
  readonly onCopy: (days: readonly number[]) => void;
}

export function CopyDay({ day, days, dayNames, onCopy }: CopyDayProps) {
  const t = useT();
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const others = days.filter((one) => one !== day);
  const hasAll = others.every((one) => chosen.has(one));
  const toggle = (one: number): void => {
    const next = new Set(chosen);
    if (!next.delete(one)) next.add(one);
    setChosen(next);
  };
  return (
    <fieldset className={style.copy}>
      <legend className={style.copyLabel}>{t('timePlan.copyTo')}</legend>
      {days.map((one, row) => (
        <label key={one} className={style.tick} data-off={one === day || undefined}>
          <input
            type="checkbox"
            checked={one === day || chosen.has(one)}
            disabled={one === day}
            onChange={() => toggle(one)}
          />
          {dayNames[row]}
        </label>
      ))}
      <label className={style.tick}>
        <input type="checkbox" checked={hasAll} onChange={() => setChosen(new Set(hasAll ? [] : others))} />
        {t('timePlan.allDays')}
      </label>
      <Button disabled={chosen.size === 0} onClick={() => onCopy([...chosen])}>
        {t('timePlan.copy')}
      </Button>
    </fieldset>
  );
}
