// Ready-made recording plans and the types they are painted with.
import { RECORD_PLAN_TYPE } from '@vedette/contract/enumerations.ts';
import type { Translate } from '@vedette/phrases/translate.ts';
import { DAY_SECONDS } from '@vedette/rules/time-plan/time-of-day.ts';
import { entriesOf, PLAN_DAYS, segmentsFrom, segmentsOf, type WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import type { PlanPreset, PlanType } from '../time-plan/plan-types.ts';
import type { PlanChange } from './record-plan.query.ts';

const { continuous, event } = RECORD_PLAN_TYPE;
const FRIDAY = 5;
const WORK = { start: 8 * 3600, end: 18 * 3600 } as const;

export function recordTypes(t: Translate): readonly PlanType[] {
  return [
    { type: continuous, label: t('recordPlan.continuous'), colour: '--recorded' },
    { type: event, label: t('recordPlan.event'), colour: '--recorded-alarm' },
  ];
}

export function recordPresets(t: Translate): readonly PlanPreset[] {
  const work = { ...WORK, type: continuous };
  return [
    { label: t('recordPlan.always'), week: everyDay(continuous) },
    {
      label: t('recordPlan.workHours'),
      week: Object.fromEntries(PLAN_DAYS.map((day) => [day, day <= FRIDAY ? [work] : []])),
    },
    { label: t('recordPlan.eventsOnly'), week: everyDay(event) },
    { label: t('recordPlan.never'), week: {} },
  ];
}

function everyDay(type: number): WeekPlan {
  return Object.fromEntries(PLAN_DAYS.map((day) => [day, [{ start: 0, end: DAY_SECONDS, type }]]));
}

export function weekOf({ plan }: Pick<PlanChange, 'plan'>): WeekPlan {
  return Object.fromEntries(plan.map(({ day, entryList }) => [day, segmentsFrom(entryList)]));
}

/** All eight days: what is not said is not recorded. */
export function planOf(week: WeekPlan): PlanChange['plan'] {
  return PLAN_DAYS.map((day) => ({
    day,
    entryList: entriesOf(segmentsOf(week, day)).map(({ Type, ...times }) => {
      return { ...times, Type: Type === event ? event : continuous };
    }),
  }));
}
