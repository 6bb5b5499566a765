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
  const problemOf = (of: State): PlanProblem | null =>
    of.typed === null ? null : checkPlanRows(of.day, of.typed, maximum);
  /** Goes on only from a day that is right; else says what is wrong with it. */
  const fromSound = (change: (before: State) => Partial<State>): void =>
    setState((before) => {
      const found = problemOf(before);
      return found ? { ...before, problem: found } : { ...before, typed: null, problem: null, ...change(before) };
    });
  return {
    week,
    day,
    problem,
    rows: typed ?? blankRows(entriesOf(segmentsOf(week, day)), maximum, firstType),
    typeRows: (rows) =>
      setState((before) => {
        if (checkPlanRows(before.day, rows, maximum) !== null) return { ...before, typed: rows };
        return { ...before, typed: rows, week: { ...before.week, [before.day]: segmentsFrom(rows) }, problem: null };
      }),
    paint: (next, painted) => {
      // Strokes on the day in hand take the place of what was typed; on another day that must be right first.
      if (painted === day) setState({ week: next, day, typed: null, problem: null });
      else fromSound(() => ({ week: next, day: painted }));
    },
    refuse: (refused, most) =>
      setState((before) => ({ ...before, problem: { kind: 'tooMany', day: refused, maximum: most } })),
    goTo: (next) => fromSound(() => ({ day: next })),
    copyTo: (days) => fromSound((before) => ({ week: copyDay(before.week, before.day, days) })),
    replace: (next) => setState((before) => ({ ...before, week: next, typed: null, problem: null })),
    confirm: () => {
      const found = problemOf(state);
      setState((before) => ({ ...before, problem: found }));
      return found === null ? week : null;
    },
  };
}

function blankRows(entries: readonly PlanEntry[], count: number, firstType: number): readonly PlanEntry[] {
  const blank = { StartTime: '', EndTime: '', Type: firstType };
  return Array.from({ length: Math.max(count, entries.length) }, (_, at) => entries[at] ?? blank);
}
