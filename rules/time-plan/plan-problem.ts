// Validates a weekly plan with its holidays; the first problem by its field.
import type { FieldProblem } from '../validation/field-problem.ts';
import { checkPlanDays, type PlanDayRows } from './plan-days.ts';

/** Null where all is well. */
export function planProblem(input: {
  readonly plan: readonly PlanDayRows[];
  readonly holidayList: readonly string[];
}): { readonly field: string; readonly problem: FieldProblem } | null {
  const found = checkPlanDays(input.plan);
  if (found) return { field: `plan.${found.field}`, problem: found.problem };
  const badDay = input.holidayList.findIndex((day) => !isDay(day));
  return badDay < 0 ? null : { field: `holidayList.${badDay}`, problem: 'format' };
}

/** A day of the calendar: 2026-02-30 is none. */
function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text);
}
