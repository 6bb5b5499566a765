// Hours of the week: always (or never), or as painted in the plan dialog, with the painted week in sight.
import type { AlarmPlanDay } from '@vedette/contract/calls/alarm-rule.ts';
import {
  entriesOf,
  PLAN_WEEK_DAYS,
  segmentsFrom,
  segmentsOf,
  type WeekPlan,
} from '@vedette/rules/time-plan/week-plan.ts';
import { useT } from '../../language/use-t.ts';
import { Segmented } from '../../ui/fields/segmented.tsx';
import { PlanOverview } from '../time-plan/plan-overview.tsx';
import style from './alarm-rule.module.css';

export interface HoursFieldProps {
  readonly label: string;
  readonly plan: readonly AlarmPlanDay[] | null;
  readonly timeZone: string;
  readonly titleOfPlan: string;
  readonly nameOfType: string;
  readonly nameOfNone: string;
  readonly onPlan: (plan: AlarmPlanDay[] | null) => void;
}

const HELD = 1;

export function HoursField(props: HoursFieldProps) {
  const t = useT();
  const { label, plan, timeZone, nameOfType, onPlan } = props;
  return (
    <div className={style.field}>
      <Segmented
        label={label}
        isWide
        value={plan === null ? 'none' : 'plan'}
        options={[
          { value: 'none', label: props.nameOfNone },
          { value: 'plan', label: t('alarmRules.byPlan') },
        ]}
        onValue={(value) => onPlan(value === 'none' ? null : planOf({}))}
      />
      {plan !== null && (
        <PlanOverview
          title={props.titleOfPlan}
          editLabel={t('alarmRules.editPlan')}
          week={Object.fromEntries(plan.map(({ day, entryList }) => [day, segmentsFrom(entryList)]))}
          types={[{ type: HELD, label: nameOfType, colour: '--recorded' }]}
          hasHoliday={false}
          isWide
          onWeek={(week) => onPlan(planOf(week))}
        >
          <span className={style.hint}>{t('alarmQuiet.hoursLead', { zone: timeZone })}</span>
        </PlanOverview>
      )}
    </div>
  );
}

function planOf(week: WeekPlan): AlarmPlanDay[] {
  return PLAN_WEEK_DAYS.map((day) => ({
    day,
    entryList: entriesOf(segmentsOf(week, day)).map(({ StartTime, EndTime }) => ({ StartTime, EndTime, Type: HELD })),
  }));
}
