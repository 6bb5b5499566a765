// The painter of a weekly plan (WG-04): eight days on a canvas, painted with mouse, finger or keys.
import { TIME_PLAN_SEGMENTS_PER_DAY } from '@vedette/contract/limits.ts';
import { paintSegment, type PlanSegment } from '@vedette/rules/time-plan/paint.ts';
import { formatTimeOfDay } from '@vedette/rules/time-plan/time-of-day.ts';
import { segmentsOf, type WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { useT } from '../../language/use-t.ts';
import { paintPlan, type PlanScene } from './plan-canvas.ts';
import { PAINTER, planGeometry, type PlanPlace, segmentAt } from './plan-geometry.ts';
import { PlanSegments } from './plan-segments.tsx';
import type { PlanType } from './plan-types.ts';
import style from './time-plan-painter.module.css';
import { useDayNames } from './use-day-names.ts';
import { usePlanCursor } from './use-plan-cursor.ts';
import { type PlanStroke, usePlanPointer } from './use-plan-pointer.ts';

export interface TimePlanPainterProps {
  readonly week: WeekPlan;
  readonly types: readonly PlanType[];
  /** Type that is painted; -1 rubs out. */
  readonly type: number;
  readonly onWeek: (week: WeekPlan, day: number) => void;
  /** A stroke would have made more segments than a day may have: nothing was painted. */
  readonly onTooMany?: (day: number, maximum: number) => void;
  readonly maximum?: number;
  readonly width?: number;
  readonly height?: number;
  readonly selectedDay?: number | null;
  readonly onDay?: (day: number) => void;
  readonly isReadOnly?: boolean;
  /** Without it there is no row for holidays. */
  readonly hasHoliday?: boolean;
}

export function TimePlanPainter(props: TimePlanPainterProps) {
  const { week, types, type, onWeek, onTooMany, onDay, selectedDay = null, isReadOnly = false } = props;
  const { maximum = TIME_PLAN_SEGMENTS_PER_DAY, width = PAINTER.width, hasHoliday = true } = props;
  const dayNames = useDayNames('short');
  const longNames = useDayNames('long');
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hasFocus, setFocus] = useState(false);
  const geometry = planGeometry(width, props.height ?? PAINTER.height, hasHoliday);
  const { height, days } = geometry;
  const putDay = (day: number, segments: readonly PlanSegment[]): void => {
    if (segments.length > maximum) return onTooMany?.(day, maximum);
    onWeek({ ...week, [day]: segments }, day);
  };
  const onStroke = ({ day, ...stroke }: PlanStroke): void => {
    const painted = paintSegment(segmentsOf(week, day), stroke, maximum);
    if ('tooMany' in painted) onTooMany?.(day, painted.tooMany);
    else onWeek({ ...week, [day]: painted.segments }, day);
  };
  const pointer = usePlanPointer({ geometry, week, type, isDisabled: isReadOnly, onStroke, onDay: putDay });
  const cursor = usePlanCursor({ days, type, isDisabled: isReadOnly, onStroke });
  const hand = { pointer, cursor, hasFocus };
  const shown = placeInHand(hand);
  const scene = { ...geometry, week, types, dayNames, selectedDay, ...handMarks(hand, isReadOnly) };
  useRepaint(canvas, scene);
  return (
    <div className={style.painter} style={{ width }}>
      <div
        className={style.stage}
        style={{ width, height }}
        data-edge={pointer.isOnEdge || undefined}
        data-fixed={isReadOnly || undefined}
      >
        <canvas ref={canvas} className={style.canvas} style={{ width, height }} aria-hidden="true" />
        <PlanSurface
          isReadOnly={isReadOnly}
          {...pointer.handlers}
          onPointerUp={(event) => {
            pointer.handlers.onPointerUp(event);
            // A press that painted nothing takes the day in hand.
            if (pointer.stroke === null && !pointer.isOnEdge && shown) onDay?.(shown.day);
          }}
          onKeyDown={cursor.onKeyDown}
          onFocus={(event) => setFocus(event.target === event.currentTarget && event.target.matches(':focus-visible'))}
          onBlur={() => {
            setFocus(false);
            cursor.drop();
          }}
        />
        <PlanSegments
          geometry={geometry}
          week={week}
          types={types}
          dayNames={longNames}
          isDisabled={isReadOnly}
          onDay={putDay}
        />
      </div>
      <p className={style.readout} aria-live={hasFocus ? 'polite' : 'off'}>
        {shown && readoutOf(week, shown, { days, dayNames: longNames, types })}
      </p>
    </div>
  );
}

/** What the user points at a plan with. */
interface PlanHand {
  readonly pointer: ReturnType<typeof usePlanPointer>;
  readonly cursor: ReturnType<typeof usePlanCursor>;
  readonly hasFocus: boolean;
}

function placeInHand({ pointer, cursor, hasFocus }: PlanHand): PlanPlace | null {
  return hasFocus ? cursor.place : (pointer.hover?.place ?? null);
}

function handMarks(
  { pointer, cursor, hasFocus }: PlanHand,
  isReadOnly: boolean,
): Pick<PlanScene, 'stroke' | 'cursor' | 'hoverX'> {
  return {
    stroke: pointer.stroke ?? cursor.stroke,
    cursor: hasFocus && !isReadOnly ? cursor.place : null,
    hoverX: pointer.hover?.x ?? null,
  };
}

type PlanSurfaceProps = ComponentProps<'div'> & { readonly isReadOnly: boolean };

function PlanSurface({ isReadOnly, ...handlers }: PlanSurfaceProps) {
  const t = useT();
  return (
    <div
      className={style.surface}
      role="group"
      tabIndex={isReadOnly ? -1 : 0}
      aria-label={t(isReadOnly ? 'timePlan.plan' : 'timePlan.painter')}
      aria-roledescription={t('timePlan.role')}
      data-time-plan
      {...handlers}
    />
  );
}

/** After every change, and when the theme or the pixels of the screen change. */
function useRepaint(canvas: { readonly current: HTMLCanvasElement | null }, scene: PlanScene): void {
  useEffect(() => {
    const paint = (): void => {
      if (canvas.current) paintPlan(canvas.current, scene);
    };
    paint();
    const themes = new MutationObserver(paint);
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'style'] });
    const pixels = matchMedia(`(resolution: ${globalThis.devicePixelRatio}dppx)`);
    pixels.addEventListener('change', paint);
    return () => {
      themes.disconnect();
      pixels.removeEventListener('change', paint);
    };
  });
}

function readoutOf(
  week: WeekPlan,
  { day, second }: PlanPlace,
  names: {
    readonly days: readonly number[];
    readonly dayNames: readonly string[];
    readonly types: readonly PlanType[];
  },
): string {
  const segment = segmentAt(segmentsOf(week, day), second);
  const where = `${names.dayNames[names.days.indexOf(day)]} ${formatTimeOfDay(second).slice(0, 5)}`;
  if (!segment) return where;
  const type = names.types.find((one) => one.type === segment.type)?.label ?? '';
  return `${where} · ${type} ${formatTimeOfDay(segment.start)}–${formatTimeOfDay(segment.end)}`;
}
