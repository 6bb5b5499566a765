// Dragging over the picture, in shares of it; arrow keys do the same a step at a time.
import type { Point } from '@vedette/contract/config/fields.ts';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useRef } from 'react';

const STEP = 0.005;
const WIDE_STEP = 0.05;
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** `place` moves with the pointer; the overlay that carries `data-picture-overlay` is the whole picture. */
export function useDrag(place: Point, onPlace: (place: Point) => void) {
  const held = useRef<{ readonly from: Point; readonly at: Point } | null>(null);
  const end = (): void => {
    held.current = null;
  };
  return {
    onPointerDown: (event: PointerEvent<Element>): void => {
      event.currentTarget.setPointerCapture(event.pointerId);
      held.current = { from: place, at: shareOf(event) };
      event.stopPropagation();
    },
    onPointerMove: (event: PointerEvent<Element>): void => {
      if (held.current === null) return;
      const { from, at } = held.current;
      const now = shareOf(event);
      onPlace(inside({ x: from.x + now.x - at.x, y: from.y + now.y - at.y }));
    },
    onPointerUp: end,
    onPointerCancel: end,
    onKeyDown: (event: KeyboardEvent<Element>): void => {
      const arrow = ARROWS[event.key];
      if (arrow === undefined) return;
      event.preventDefault();
      const step = event.shiftKey ? WIDE_STEP : STEP;
      onPlace(inside({ x: place.x + arrow[0] * step, y: place.y + arrow[1] * step }));
    },
  };
}

export function shareOf(event: PointerEvent<Element>): Point {
  const box = event.currentTarget.closest('[data-picture-overlay]')?.getBoundingClientRect();
  if (box === undefined || box.width === 0 || box.height === 0) return { x: 0, y: 0 };
  return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
}

export function inside({ x, y }: Point): Point {
  const rounded = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
  return { x: rounded(x), y: rounded(y) };
}
