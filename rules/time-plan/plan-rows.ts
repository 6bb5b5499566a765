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
  const spans: PlanSpan[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.StartTime === '' && row.EndTime === '') continue;
    const span = readSpan(row);
    if (typeof span === 'string') return { kind: span, day, row: index + 1 };
    const isOverlap = spans.some((other) => span.start < other.end && other.start < span.end);
    if (isOverlap) return { kind: 'overlap', day, row: index + 1 };
    spans.push(span);
  }
  return spans.length > maximum ? { kind: 'tooMany', day, maximum } : null;
}

interface PlanSpan {
  readonly start: number;
  readonly end: number;
}

/** The span of a filled row, or what is wrong with it by itself. */
function readSpan({ StartTime, EndTime }: PlanRow): PlanSpan | 'incomplete' | 'notATime' | 'startNotBeforeEnd' {
  if (StartTime === '' || EndTime === '') return 'incomplete';
  const start = parseTimeOfDay(StartTime);
  const end = parseTimeOfDay(EndTime);
  if (start === null || end === null) return 'notATime';
  return start < end ? { start, end } : 'startNotBeforeEnd';
}
