// Mouse and touch on the painter: painting a stroke, pulling an edge, saying what lies under the pointer.
import type { PlanSegment } from '@vedette/rules/time-plan/paint.ts';
import { reshapeSegment, segmentsOf, type WeekPlan } from '@vedette/rules/time-plan/week-plan.ts';
import { type PointerEvent, useState } from 'react';
import { edgeAt, isOnRows, type PlanGeometry, type PlanPlace, placeAt, snap } from './plan-geometry.ts';

const REACH_PX = { mouse: 4, pen: 6, touch: 12 };

export interface PlanStroke extends PlanSegment {
  readonly day: number;
}

type Drag =
  | { readonly kind: 'paint'; readonly from: PlanPlace; readonly to: number }
  | {
      readonly kind: 'edge';
      readonly day: number;
      /** As it was when the edge was taken: what is passed over and left again comes back. */
      readonly before: readonly PlanSegment[];
      readonly segment: PlanSegment;
      readonly edge: 'start' | 'end';
    };

export interface PlanPointerOptions {
  readonly geometry: PlanGeometry;
  readonly week: WeekPlan;
  /** Type that is painted; -1 rubs out. */
  readonly type: number;
  readonly isDisabled: boolean;
  readonly onStroke: (stroke: PlanStroke) => void;
  readonly onDay: (day: number, segments: readonly PlanSegment[]) => void;
}

export interface PlanPointer {
  /** Under way, not painted yet. */
  readonly stroke: PlanStroke | null;
  readonly hover: { readonly place: PlanPlace; readonly x: number } | null;
  readonly isOnEdge: boolean;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: (event: PointerEvent) => void;
    readonly onPointerCancel: () => void;
    readonly onPointerLeave: () => void;
  };
}

export function usePlanPointer(options: PlanPointerOptions): PlanPointer {
  const { geometry, week, type, isDisabled, onStroke, onDay } = options;
  const [drag, setDrag] = useState<Drag | null>(null);
  const [hover, setHover] = useState<{ place: PlanPlace; x: number } | null>(null);
  const pointOf = (event: PointerEvent) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    return { x, y, place: placeAt(geometry, x, y) };
  };
  const edgeUnder = (event: PointerEvent) => {
    const { x, place } = pointOf(event);
    const reach = REACH_PX[event.pointerType as keyof typeof REACH_PX] ?? REACH_PX.mouse;
    return edgeAt(geometry, segmentsOf(week, place.day), x, reach);
  };
  const [isOnEdge, setOnEdge] = useState(false);
  const onPointerDown = (event: PointerEvent): void => {
    const { x, y, place } = pointOf(event);
    if (isDisabled || event.button !== 0 || !isOnRows(geometry, x, y)) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const edge = type < 0 ? null : edgeUnder(event);
    if (edge) return setDrag({ kind: 'edge', day: place.day, before: segmentsOf(week, place.day), ...edge });
    const second = snap(place.second);
    setDrag({ kind: 'paint', from: { day: place.day, second }, to: second });
  };
  const onPointerMove = (event: PointerEvent): void => {
    const { x, y, place } = pointOf(event);
    setHover(isOnRows(geometry, x, y) ? { place, x } : null);
    if (drag === null) return setOnEdge(!isDisabled && type >= 0 && edgeUnder(event) !== null);
    if (drag.kind === 'paint') return setDrag({ ...drag, to: snap(place.second) });
    const { day, before, segment, edge } = drag;
    const edges = { start: segment.start, end: segment.end, [edge]: snap(place.second) };
    if (edges.start < edges.end) onDay(day, reshapeSegment(before, segment, edges));
  };
  const onPointerUp = (): void => {
    if (drag?.kind === 'paint') {
      const stroke = strokeOf(drag, type);
      if (stroke) onStroke(stroke);
    }
    setDrag(null);
  };
  return {
    stroke: drag?.kind === 'paint' ? strokeOf(drag, type) : null,
    hover,
    isOnEdge: isOnEdge || drag?.kind === 'edge',
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: () => {
        if (drag?.kind === 'edge') onDay(drag.day, drag.before);
        setDrag(null);
      },
      onPointerLeave: () => setHover(null),
    },
  };
}

function strokeOf({ from, to }: Extract<Drag, { kind: 'paint' }>, type: number): PlanStroke | null {
  const [start, end] = [Math.min(from.second, to), Math.max(from.second, to)];
  return start === end ? null : { day: from.day, start, end, type };
}
