// Every segment of the plan as a thing of its own for keys and readers: it lies over its bar, has a name, moves, grows and goes.
import type { PlanSegment } from '@vedette/rules/time-plan/paint.ts';
import { DAY_SECONDS, formatTimeOfDay } from '@vedette/rules/time-plan/time-of-day.ts';
import { reshapeSegment, segmentsOf, type WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import type { KeyboardEvent } from 'react';
import { useT } from '../../language/use-t.ts';
import { type PlanGeometry, rowHeight, rowTop, xOfSecond } from './plan-geometry.ts';
import type { PlanType } from './plan-types.ts';
import style from './time-plan-painter.module.css';

const STEP_S = 300;
const FINE_STEP_S = 60;

export interface PlanSegmentsProps {
  readonly geometry: PlanGeometry;
  readonly week: WeekPlan;
  readonly types: readonly PlanType[];
  readonly dayNames: readonly string[];
  readonly isDisabled: boolean;
  readonly onDay: (day: number, segments: readonly PlanSegment[]) => void;
}

export function PlanSegments({ geometry, week, types, dayNames, isDisabled, onDay }: PlanSegmentsProps) {
  const t = useT();
  return geometry.days.flatMap((day, row) =>
    segmentsOf(week, day).map((segment, at) => {
      const label = t('timePlan.segment', {
        day: dayNames[row] ?? '',
        from: formatTimeOfDay(segment.start),
        to: formatTimeOfDay(segment.end),
        type: types.find(({ type }) => type === segment.type)?.label ?? '',
      });
      const left = xOfSecond(geometry, segment.start);
      const place = {
        left,
        top: rowTop(geometry, row) + 2,
        width: xOfSecond(geometry, segment.end) - left,
        height: rowHeight(geometry) - 4,
      };
      const onKeyDown = (event: KeyboardEvent): void => {
        const next = isDisabled ? null : segmentAfterKey(segmentsOf(week, day), segment, event, types);
        if (!next) return;
        event.preventDefault();
        event.stopPropagation();
        onDay(day, next);
      };
      return (
        // The place in its day is what it is known by: it keeps the focus while it moves.
        <div
          key={`${day} ${at}`}
          className={style.segment}
          style={place}
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={DAY_SECONDS}
          aria-valuenow={segment.start}
          aria-valuetext={label}
          aria-disabled={isDisabled || undefined}
          onKeyDown={onKeyDown}
        />
      );
    }),
  );
}

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>;

/** The day after a key on one of its segments; null where the key means nothing here. */
export function segmentAfterKey(
  segments: readonly PlanSegment[],
  segment: PlanSegment,
  { key, shiftKey, ctrlKey, metaKey, altKey }: Key,
  types: readonly PlanType[],
): readonly PlanSegment[] | null {
  if (metaKey || altKey) return null;
  if (key === 'Delete' || key === 'Backspace') return segments.filter((one) => one !== segment);
  const chosen = types[Number(key) - 1];
  if (chosen) return retype(segments, segment, chosen.type);
  const step = (shiftKey ? FINE_STEP_S : STEP_S) * (key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0);
  if (step === 0) return null;
  const { start, end } = segment;
  if (ctrlKey) return reshape(segments, segment, { start, end: end + step });
  const shift = Math.max(-start, Math.min(DAY_SECONDS - end, step));
  return reshape(segments, segment, { start: start + shift, end: end + shift });
}

function retype(segments: readonly PlanSegment[], segment: PlanSegment, type: number): readonly PlanSegment[] {
  const others = segments.filter((one) => one !== segment);
  return reshapeSegment([...others, segment], { ...segment, type }, segment);
}

function reshape(
  segments: readonly PlanSegment[],
  segment: PlanSegment,
  { start, end }: { readonly start: number; readonly end: number },
): readonly PlanSegment[] | null {
  const bounded = Math.min(DAY_SECONDS, end);
  if (bounded <= start || (start === segment.start && bounded === segment.end)) return null;
  return reshapeSegment(segments, segment, { start, end: bounded });
}
