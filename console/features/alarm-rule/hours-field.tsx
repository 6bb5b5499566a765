// Hours of the week: always (or never), or as painted in the plan dialog, with the painted week in sight.
import type { AlarmPlanDay } from '@vedette/contract/calls/alarm-rule.ts';
import {
  entriesOf,
  PLAN_WEEK_DAYS,
  segmentsFrom,
  segmentsOf,
  type WeekPlan,
} from '@vedette/rules/time-plan/week-plan.ts';
import { useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { PlanDialog } from '../time-plan/plan-dialog.tsx';
import { TimePlanPainter } from '../time-plan/time-plan-painter.tsx';
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

const OVERVIEW = { width: 344, height: 153 } as const;
const HELD = 1;

export function HoursField(props: HoursFieldProps) {
  const t = useT();
  const { label, plan, timeZone, nameOfType, onPlan } = props;
  const [isPainting, setPainting] = useState(false);
  const types = [{ type: HELD, label: nameOfType, colour: '--recorded' as const }];
  const week: WeekPlan = Object.fromEntries((plan ?? []).map(({ day, entryList }) => [day, segmentsFrom(entryList)]));
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
        <>
          <TimePlanPainter
            {...OVERVIEW}
            week={week}
            types={types}
            type={-1}
            isReadOnly
            hasHoliday={false}
            onWeek={() => undefined}
          />
          <span className={style.hint}>{t('alarmQuiet.hoursLead', { zone: timeZone })}</span>
          <Button isWide onClick={() => setPainting(true)}>
            {t('alarmRules.editPlan')}
          </Button>
          <PlanDialog
            title={props.titleOfPlan}
            isOpen={isPainting}
            hasHoliday={false}
            week={week}
            types={types}
            onCancel={() => setPainting(false)}
            onConfirm={(painted) => {
              onPlan(planOf(painted));
              setPainting(false);
            }}
          />
        </>
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
