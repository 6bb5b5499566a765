// Where days and times lie on the painter. Pure; CSS pixels and seconds of a day.
import type { PlanSegment } from '@vedette/rules/time-plan/paint.ts';
import { DAY_SECONDS } from '@vedette/rules/time-plan/time-of-day.ts';
import { PLAN_DAYS, PLAN_WEEK_DAYS } from '@vedette/rules/time-plan/week-plan.ts';

export const PAINTER = { width: 520, height: 225 } as const;
/** Strokes and edges keep to this many seconds. */
export const SNAP_S = 300;
const AXIS_PX = 17;
const LABEL_PX = 62;
/** Room for half of the last hour's label. */
const RIGHT_PX = 14;

export interface PlanGeometry {
  readonly width: number;
  readonly height: number;
  /** The rows from top to bottom. */
  readonly days: readonly number[];
}

/** `height` is that of all eight rows: without the holiday row the others keep theirs. */
export function planGeometry(width: number, height: number, hasHoliday: boolean): PlanGeometry {
  if (hasHoliday) return { width, height, days: PLAN_DAYS };
  const rows = ((height - AXIS_PX) / PLAN_DAYS.length) * PLAN_WEEK_DAYS.length;
  return { width, height: Math.round(AXIS_PX + rows), days: PLAN_WEEK_DAYS };
}

export interface PlanPlace {
  readonly day: number;
  /** Seconds since midnight, 0 to 86400. */
  readonly second: number;
}

export function rowHeight({ height, days }: PlanGeometry): number {
  return (height - AXIS_PX) / days.length;
}

export function rowTop(geometry: PlanGeometry, row: number): number {
  return AXIS_PX + row * rowHeight(geometry);
}

export function xOfSecond({ width }: PlanGeometry, second: number): number {
  return LABEL_PX + (second / DAY_SECONDS) * (width - LABEL_PX - RIGHT_PX);
}

export function placeAt(geometry: PlanGeometry, x: number, y: number): PlanPlace {
  const share = (x - LABEL_PX) / (geometry.width - LABEL_PX - RIGHT_PX);
  const row = Math.floor((y - AXIS_PX) / rowHeight(geometry));
  const { days } = geometry;
  const day = days[Math.max(0, Math.min(days.length - 1, row))] as number;
  return { day, second: Math.max(0, Math.min(DAY_SECONDS, Math.round(share * DAY_SECONDS))) };
}

export function isOnRows(geometry: PlanGeometry, x: number, y: number): boolean {
  return x >= LABEL_PX - 4 && y >= AXIS_PX && y <= geometry.height;
}

export function snap(second: number, step: number = SNAP_S): number {
  return Math.max(0, Math.min(DAY_SECONDS, Math.round(second / step) * step));
}

/** The edge within `reach` pixels, the nearer one where two are. */
export function edgeAt(
  geometry: PlanGeometry,
  segments: readonly PlanSegment[],
  x: number,
  reach: number,
): { readonly segment: PlanSegment; readonly edge: 'start' | 'end' } | null {
  let nearest: { segment: PlanSegment; edge: 'start' | 'end'; distance: number } | null = null;
  for (const segment of segments) {
    // A segment that is hardly wider than a finger is painted over, not pulled apart.
    if (xOfSecond(geometry, segment.end) - xOfSecond(geometry, segment.start) < reach) continue;
    for (const edge of ['start', 'end'] as const) {
      const distance = Math.abs(xOfSecond(geometry, segment[edge]) - x);
      if (distance <= reach && (!nearest || distance < nearest.distance)) nearest = { segment, edge, distance };
    }
  }
  return nearest;
}

export function segmentAt(segments: readonly PlanSegment[], second: number): PlanSegment | null {
  return segments.find(({ start, end }) => start <= second && second < end) ?? null;
}
