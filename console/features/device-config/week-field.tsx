// The weekly plan of a section: an overview, and the plan dialog to change it.
import type { WeekTimes } from '@vedette/contract/config/fields.ts';
import { DAY_SECONDS } from '@vedette/rules/time-plan/time-of-day.ts';
import { entriesOf, PLAN_DAYS, segmentsFrom, segmentsOf, type WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { HOLIDAY_ROW } from '@vedette/contract/limits.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { PlanDialog } from '../time-plan/plan-dialog.tsx';
import { TimePlanPainter } from '../time-plan/time-plan-painter.tsx';
import style from './device-config.module.css';

export interface WeekFieldProps {
  readonly label: string;
  readonly value: WeekTimes;
  readonly limits: { readonly most: number; readonly hasHoliday: boolean };
  readonly isChanged: boolean;
  readonly error: string | null;
  readonly onValue: (value: WeekTimes) => void;
}

const ARMED = 1;
const OVERVIEW = { width: 344, height: 153 } as const;

export function WeekField({ label, value, limits, isChanged, error, onValue }: WeekFieldProps) {
  const t = useT();
  const [isOpen, setOpen] = useState(false);
  const types = [{ type: ARMED, label: t('config.armed'), colour: '--recorded' } as const];
  const week = weekOf(value);
  return (
    <div className={style.week} data-changed={isChanged || undefined}>
      <span className={style.lineLabel}>{label}</span>
      <TimePlanPainter
        {...OVERVIEW}
        week={week}
        types={types}
        type={-1}
        isReadOnly
        hasHoliday={limits.hasHoliday}
        onWeek={() => undefined}
      />
      <Button onClick={() => setOpen(true)}>{t('config.editPlan')}</Button>
      {error !== null && <span role="alert">{error}</span>}
      <PlanDialog
        title={label}
        isOpen={isOpen}
        hasHoliday={limits.hasHoliday}
        week={week}
        types={types}
        presets={[
          { label: t('config.planAlways'), week: everyDay() },
          { label: t('config.planNever'), week: {} },
        ]}
        onCancel={() => setOpen(false)}
        onConfirm={(next) => {
          setOpen(false);
          onValue(timesOf(next, limits.hasHoliday));
        }}
      />
    </div>
  );
}

function everyDay(): WeekPlan {
  return Object.fromEntries(PLAN_DAYS.map((day) => [day, [{ start: 0, end: DAY_SECONDS, type: ARMED }]]));
}

function weekOf(times: WeekTimes): WeekPlan {
  return Object.fromEntries(
    times.map(({ day, entryList }) => [day, segmentsFrom(entryList.map((entry) => ({ ...entry, Type: ARMED })))]),
  );
}

/** In the order in which devices tell them, so that an unchanged plan stays the same text. */
function timesOf(week: WeekPlan, hasHoliday: boolean): WeekTimes {
  return [...PLAN_DAYS]
    .sort((a, b) => a - b)
    .filter((day) => hasHoliday || day !== HOLIDAY_ROW)
    .map((day) => ({
      day,
      entryList: entriesOf(segmentsOf(week, day)).map(({ StartTime, EndTime }) => ({ StartTime, EndTime })),
    }));
}
