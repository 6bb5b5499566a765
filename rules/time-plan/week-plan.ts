// A weekly plan as a whole: eight days of segments, to and from the entries of the wire, copied day by day.
import { ALL_DAY, HOLIDAY_ROW, WEEK_DAYS } from '@vedette/contract/limits.ts';
import { ERASE_TYPE, type PlanSegment, paintSegment } from './paint.ts';
import { DAY_SECONDS, formatTimeOfDay, parseTimeOfDay } from './time-of-day.ts';

/** Segments by day: 1 Monday to 7 Sunday, 8 the holiday row. A day that is missing is empty. */
export type WeekPlan = Readonly<Record<number, readonly PlanSegment[]>>;

/** The rows of the editor from top to bottom: Sunday to Saturday, then holiday. */
export const PLAN_DAYS: readonly number[] = [7, ...WEEK_DAYS.slice(0, 6), HOLIDAY_ROW];
/** Where holidays are no days of their own. */
export const PLAN_WEEK_DAYS: readonly number[] = PLAN_DAYS.slice(0, -1);

/** An entry of EN-15. */
export interface PlanEntry {
  readonly StartTime: string;
  readonly EndTime: string;
  readonly Type: number;
}

export function segmentsOf(week: WeekPlan, day: number): readonly PlanSegment[] {
  return week[day] ?? [];
}

/** 24:00:00 becomes 23:59:59 only here, where it leaves. */
export function entriesOf(segments: readonly PlanSegment[]): PlanEntry[] {
  return segments.map(({ start, end, type }) => ({
    StartTime: formatTimeOfDay(start),
    EndTime: formatTimeOfDay(end),
    Type: type,
  }));
}

/** Entries that are no times, or run backwards, are left out; an end of 23:59:59 means midnight. */
export function segmentsFrom(entries: readonly PlanEntry[]): readonly PlanSegment[] {
  let segments: readonly PlanSegment[] = [];
  for (const { StartTime, EndTime, Type } of entries) {
    const start = parseTimeOfDay(StartTime);
    const end = EndTime === ALL_DAY.endFull ? DAY_SECONDS : parseTimeOfDay(EndTime);
    if (start === null || end === null || start >= end || Type === ERASE_TYPE) continue;
    const painted = paintSegment(segments, { start, end, type: Type }, Number.POSITIVE_INFINITY);
    if ('segments' in painted) segments = painted.segments;
  }
  return segments;
}

export function copyDay(week: WeekPlan, from: number, to: readonly number[]): WeekPlan {
  const segments = segmentsOf(week, from);
  return { ...week, ...Object.fromEntries(to.map((day) => [day, segments])) };
}

/** The segment with other edges: what it then overlaps gives way, what it leaves becomes empty. */
export function reshapeSegment(
  segments: readonly PlanSegment[],
  segment: PlanSegment,
  edges: { readonly start: number; readonly end: number },
): readonly PlanSegment[] {
  const others = segments.filter((one) => one !== segment);
  const painted = paintSegment(others, { ...edges, type: segment.type }, Number.POSITIVE_INFINITY);
  return 'segments' in painted ? painted.segments : segments;
}

export function samePlan(one: WeekPlan, other: WeekPlan): boolean {
  const text = (week: WeekPlan) => JSON.stringify(PLAN_DAYS.map((day) => entriesOf(segmentsOf(week, day))));
  return text(one) === text(other);
}
