// Validates typed rows of one day of a weekly plan, by day and row (VA-08).
import { TIME_PLAN_SEGMENTS_PER_DAY } from '@vedette/contract/limits.ts';
import { parseTimeOfDay } from './time-of-day.ts';

/** One typed row; empty text means not filled. */
export interface PlanRow {
  readonly StartTime: string;
  readonly EndTime: string;
}

/** `day` 1 Monday to 7 Sunday, 8 the holiday row; `row` counts from 1. */
export type PlanProblem =
  | {
      readonly kind: 'incomplete' | 'notATime' | 'startNotBeforeEnd' | 'overlap';
      readonly day: number;
      readonly row: number;
    }
  | { readonly kind: 'tooMany'; readonly day: number; readonly maximum: number };

/** The first problem of the day's rows, or null; rows with neither start nor end are passed over. */
export function checkPlanRows(
  day: number,
  rows: readonly PlanRow[],
  maximum: number = TIME_PLAN_SEGMENTS_PER_DAY,
): PlanProblem | null {
  const spans: { start: number; end: number }[] = [];
  for (const [index, { StartTime, EndTime }] of rows.entries()) {
    const at = { day, row: index + 1 };
    if (StartTime === '' && EndTime === '') continue;
    if (StartTime === '' || EndTime === '') return { kind: 'incomplete', ...at };
    const start = parseTimeOfDay(StartTime);
    const end = parseTimeOfDay(EndTime);
    if (start === null || end === null) return { kind: 'notATime', ...at };
    if (start >= end) return { kind: 'startNotBeforeEnd', ...at };
    if (spans.some((other) => start < other.end && other.start < end)) return { kind: 'overlap', ...at };
    spans.push({ start, end });
  }
  return spans.length > maximum ? { kind: 'tooMany', day, maximum } : null;
}
