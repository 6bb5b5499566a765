// What the plan dialog holds while it is open: the week, the day in hand with its typed rows, and what is wrong with them.
import { TIME_PLAN_SEGMENTS_PER_DAY } from '@vedette/contract/limits.ts';
import { checkPlanRows, type PlanProblem } from '@vedette/rules/time-plan/plan-rows.ts';
import {
  copyDay,
  entriesOf,
  PLAN_DAYS,
  type PlanEntry,
  segmentsFrom,
  segmentsOf,
  type WeekPlan,
} from '@vedette/rules/time-plan/week-plan.ts';
import { useState } from 'react';

export interface PlanDraft {
  readonly week: WeekPlan;
  readonly day: number;
  /** As many as a day may have; those not used are blank. */
  readonly rows: readonly PlanEntry[];
  readonly problem: PlanProblem | null;
  typeRows(rows: readonly PlanEntry[]): void;
  paint(week: WeekPlan, day: number): void;
  refuse(day: number, maximum: number): void;
  /** Stays where the day in hand is wrong. */
  goTo(day: number): void;
  copyTo(days: readonly number[]): void;
  /** The whole week, or what stands for a plan. */
  replace(week: WeekPlan): void;
  /** The week to keep; null where the day in hand is wrong. */
  confirm(): WeekPlan | null;
}

interface State {
  readonly week: WeekPlan;
  readonly day: number;
  /** As typed; null while the week says it all. */
  readonly typed: readonly PlanEntry[] | null;
  readonly problem: PlanProblem | null;
}

export function usePlanDraft(
  snapshot: WeekPlan,
  { firstType, maximum = TIME_PLAN_SEGMENTS_PER_DAY }: { readonly firstType: number; readonly maximum?: number },
): PlanDraft {
  const [state, setState] = useState<State>(() => {
    return { week: snapshot, day: PLAN_DAYS[0] as number, typed: null, problem: null };
  });
  const { week, day, typed, problem } = state;
  /** What is wrong with what was typed; it is shown then. */
  const isSound = (): boolean => {
    const found = typed === null ? null : checkPlanRows(day, typed, maximum);
    setState((before) => ({ ...before, problem: found }));
    return found === null;
  };
  return {
    week,
    day,
    problem,
    rows: typed ?? blankRows(entriesOf(segmentsOf(week, day)), maximum, firstType),
    typeRows: (rows) => {
      const isWhole = checkPlanRows(day, rows, maximum) === null;
      const next = isWhole ? { ...week, [day]: segmentsFrom(rows) } : week;
      setState({ ...state, typed: rows, week: next, problem: isWhole ? null : problem });
    },
    paint: (next, painted) => {
      // Strokes on the day in hand take the place of what was typed; on another day that must be right first.
      if (painted === day) setState({ week: next, day, typed: null, problem: null });
      else if (isSound()) setState({ week: next, day: painted, typed: null, problem: null });
    },
    refuse: (refused, most) => setState({ ...state, problem: { kind: 'tooMany', day: refused, maximum: most } }),
    goTo: (next) => {
      if (next !== day && isSound()) setState({ week, day: next, typed: null, problem: null });
    },
    copyTo: (days) => {
      if (isSound()) setState({ ...state, week: copyDay(week, day, days), typed: null, problem: null });
    },
    replace: (next) => setState({ ...state, week: next, typed: null, problem: null }),
    confirm: () => (isSound() ? week : null),
  };
}

function blankRows(entries: readonly PlanEntry[], count: number, firstType: number): readonly PlanEntry[] {
  const blank = { StartTime: '', EndTime: '', Type: firstType };
  return Array.from({ length: Math.max(count, entries.length) }, (_, at) => entries[at] ?? blank);
}
