// Painting one day of a weekly plan: cut what is overlapped, insert, merge neighbours of one type, refuse past the maximum.
import { TIME_PLAN_SEGMENTS_PER_DAY } from '@vedette/contract/limits.ts';
import { DAY_SECONDS } from './time-of-day.ts';

/** Half-open span of one day in seconds since midnight; `end` may be 86400. */
export interface PlanSegment {
  readonly start: number;
  readonly end: number;
  readonly type: number;
}

/** Painting with this type rubs out. */
export const ERASE_TYPE = -1;

/** The painted day in order of time, or `tooMany` with the maximum when the day would hold more segments than that. */
export function paintSegment(
  day: readonly PlanSegment[],
  stroke: PlanSegment,
  maximum: number = TIME_PLAN_SEGMENTS_PER_DAY,
): { readonly segments: readonly PlanSegment[] } | { readonly tooMany: number } {
  const start = Math.max(0, Math.min(stroke.start, stroke.end));
  const end = Math.min(DAY_SECONDS, Math.max(stroke.start, stroke.end));
  if (start === end) return { segments: day };
  const kept = day.flatMap((segment) => [
    { ...segment, end: Math.min(segment.end, start) },
    { ...segment, start: Math.max(segment.start, end) },
  ]);
  if (stroke.type !== ERASE_TYPE) kept.push({ start, end, type: stroke.type });
  const segments = mergeNeighbours(kept.filter((segment) => segment.start < segment.end));
  return segments.length > maximum ? { tooMany: maximum } : { segments };
}

function mergeNeighbours(segments: readonly PlanSegment[]): PlanSegment[] {
  const merged: PlanSegment[] = [];
  for (const segment of [...segments].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && last.type === segment.type && last.end === segment.start)
      merged[merged.length - 1] = { ...last, end: segment.end };
    else merged.push(segment);
  }
  return merged;
}
