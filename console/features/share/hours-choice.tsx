// The weekly hours of a share: off, or painted with the plan editor.
import { DAY_SECONDS } from '@vedette/rules/time-plan/time-of-day.ts';
import type { WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { WEEK_DAYS } from '@vedette/contract/limits.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SwitchField } from '../../ui/fields/switch-field.tsx';
import { PlanDialog } from '../time-plan/plan-dialog.tsx';
import { hoursOf } from './share-form.ts';
import style from './share-dialog.module.css';

export interface HoursChoiceProps {
  readonly isOn: boolean;
  readonly week: WeekPlan;
  readonly timeZone: string;
  readonly problem: string | null;
  readonly onChange: (part: { readonly hasHours?: boolean; readonly week?: WeekPlan }) => void;
}

const OPEN = 1;
const FRIDAY = 5;
const WORK = { start: 8 * 3600, end: 18 * 3600, type: OPEN } as const;
const NIGHT = [
  { start: 0, end: 6 * 3600, type: OPEN },
  { start: 22 * 3600, end: DAY_SECONDS, type: OPEN },
] as const;

export function HoursChoice({ isOn, week, timeZone, problem, onChange }: HoursChoiceProps) {
  const t = useT();
  const [isPainting, setPainting] = useState(false);
  const work = Object.fromEntries(WEEK_DAYS.map((day) => [day, day <= FRIDAY ? [WORK] : []]));
  const nights = Object.fromEntries(WEEK_DAYS.map((day) => [day, NIGHT]));
  const days = hoursOf(week).length;
  return (
    <div className={style.group}>
      <SwitchField
        label={t('share.hours')}
        isOn={isOn}
        onToggle={(hasHours) => {
          onChange({ hasHours });
          if (hasHours && days === 0) setPainting(true);
        }}
      />
      {isOn && (
        <div className={style.hours}>
          <Button onClick={() => setPainting(true)}>{t('share.hoursEdit')}</Button>
          <span className={style.hint}>{t('share.hoursZone', { zone: timeZone })}</span>
        </div>
      )}
      {problem !== null && (
        <p className={style.problem} role="alert">
          {problem}
        </p>
      )}
      <PlanDialog
        title={t('share.hoursDialog')}
        isOpen={isPainting}
        hasHoliday={false}
        week={week}
        types={[{ type: OPEN, label: t('share.hoursOpen'), colour: '--accent' }]}
        presets={[
          { label: t('share.workHours'), week: work },
          { label: t('share.nights'), week: nights },
        ]}
        onCancel={() => setPainting(false)}
        onConfirm={(next) => {
          onChange({ week: next });
          setPainting(false);
        }}
      />
    </div>
  );
}
