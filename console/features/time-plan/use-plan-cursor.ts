// The keyboard on the painter: a cursor that moves by day and time, and paints from where Space was pressed to where it is pressed again.
import { ERASE_TYPE } from '@vedette/rules/time-plan/paint.ts';
import { DAY_SECONDS } from '@vedette/rules/time-plan/time-of-day.ts';
import { type KeyboardEvent, useState } from 'react';
import type { PlanPlace } from './plan-geometry.ts';
import type { PlanStroke } from './use-plan-pointer.ts';

/** Seconds per arrow key; with Shift finer. */
const STEP_S = 1800;
const FINE_STEP_S = 300;

export interface PlanCursorOptions {
  /** The rows from top to bottom. */
  readonly days: readonly number[];
  readonly type: number;
  readonly isDisabled: boolean;
  readonly onStroke: (stroke: PlanStroke) => void;
}

export interface PlanCursor {
  readonly place: PlanPlace;
  readonly stroke: PlanStroke | null;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly drop: () => void;
}

export function usePlanCursor({ days, type, isDisabled, onStroke }: PlanCursorOptions): PlanCursor {
  const [place, setPlace] = useState<PlanPlace>({ day: days[0] as number, second: 8 * 3600 });
  const [anchor, setAnchor] = useState<number | null>(null);
  const stroke = anchor === null ? null : strokeBetween(place.day, anchor, place.second, type);
  const press = (): void => {
    if (anchor === null) return setAnchor(place.second);
    if (stroke) onStroke(stroke);
    setAnchor(null);
  };
  const rubOut = (): void => {
    const end = Math.min(DAY_SECONDS, place.second + STEP_S);
    onStroke(stroke ? { ...stroke, type: ERASE_TYPE } : { day: place.day, start: place.second, end, type: ERASE_TYPE });
    setAnchor(null);
  };
  const moveTo = (moved: PlanPlace): void => {
    // A stroke stays in its day.
    if (moved.day !== place.day) setAnchor(null);
    setPlace(moved);
  };
  const actions: Readonly<Record<string, () => void>> = {
    ...(!isDisabled && { ' ': press, Enter: press, Delete: rubOut, Backspace: rubOut }),
    ...(anchor !== null && { Escape: () => setAnchor(null) }),
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const moved = moveCursor(days, place, event.key, event.shiftKey ? FINE_STEP_S : STEP_S);
    const act = moved ? () => moveTo(moved) : actions[event.key];
    if (act === undefined) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  };
  return { place, stroke, onKeyDown, drop: () => setAnchor(null) };
}

function moveCursor(days: readonly number[], place: PlanPlace, key: string, step: number): PlanPlace | null {
  const row = days.indexOf(place.day);
  const toRow = (next: number): PlanPlace => ({ ...place, day: days[next] ?? place.day });
  switch (key) {
    case 'ArrowLeft':
      return { ...place, second: Math.max(0, (Math.ceil(place.second / step) - 1) * step) };
    case 'ArrowRight':
      return { ...place, second: Math.min(DAY_SECONDS, (Math.floor(place.second / step) + 1) * step) };
    case 'ArrowUp':
      return toRow(Math.max(0, row - 1));
    case 'ArrowDown':
      return toRow(Math.min(days.length - 1, row + 1));
    case 'Home':
      return { ...place, second: 0 };
    case 'End':
      return { ...place, second: DAY_SECONDS };
    default:
      return null;
  }
}

function strokeBetween(day: number, one: number, other: number, type: number): PlanStroke | null {
  return one === other ? null : { day, start: Math.min(one, other), end: Math.max(one, other), type };
}
