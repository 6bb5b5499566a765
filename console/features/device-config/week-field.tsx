// The weekly plan of a section: an overview, and the plan dialog to change it.
import type { WeekTimes } from '@vedette/contract/config/fields.ts';
import { DAY_SECONDS } from '@vedette/rules/time-plan/time-of-day.ts';
import { entriesOf, PLAN_DAYS, segmentsFrom, segmentsOf, type WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { HOLIDAY_ROW } from '@vedette/contract/limits.ts';
import { useT } from '../../language/use-t.ts';
import { PlanOverview } from '../time-plan/plan-overview.tsx';
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

export function WeekField({ label, value, limits, isChanged, error, onValue }: WeekFieldProps) {
  const t = useT();
  const types = [{ type: ARMED, label: t('config.armed'), colour: '--recorded' } as const];
  return (
    <div className={style.week} data-changed={isChanged || undefined}>
      <span className={style.lineLabel}>{label}</span>
      <PlanOverview
        title={label}
        editLabel={t('config.editPlan')}
        week={weekOf(value)}
        types={types}
        presets={[
          { label: t('config.planAlways'), week: everyDay() },
          { label: t('config.planNever'), week: {} },
        ]}
        hasHoliday={limits.hasHoliday}
        onWeek={(week) => onValue(timesOf(week, limits.hasHoliday))}
      />
      {error !== null && <span role="alert">{error}</span>}
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
