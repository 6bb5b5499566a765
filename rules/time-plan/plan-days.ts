// Validates the days of a weekly plan: each at most once, each with valid rows; the first problem by its field.
import type { FieldProblem } from '../validation/field-problem.ts';
import { checkPlanRows, type PlanRow } from './plan-rows.ts';

export interface PlanDayRows {
  readonly day: number;
  readonly entryList: readonly PlanRow[];
}

/** Field below the plan and what is wrong with it, for example `0.entryList.1.EndTime`; null where all is well. */
export function checkPlanDays(
  days: readonly PlanDayRows[],
): { readonly field: string; readonly problem: FieldProblem } | null {
  const seen = new Set<number>();
  for (const [index, { day, entryList }] of days.entries()) {
    if (seen.has(day)) return { field: `${index}.day`, problem: 'notAllowed' };
    seen.add(day);
    const found = checkPlanRows(day, entryList);
    if (found?.kind === 'tooMany') return { field: `${index}.entryList`, problem: 'tooLong' };
    if (!found) continue;
    const row = `${index}.entryList.${found.row - 1}`;
    if (found.kind === 'startNotBeforeEnd') return { field: `${row}.EndTime`, problem: 'tooSmall' };
    return { field: `${row}.StartTime`, problem: found.kind === 'overlap' ? 'notAllowed' : 'format' };
  }
  return null;
}
