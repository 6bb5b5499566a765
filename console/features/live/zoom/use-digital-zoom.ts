// The pointer on a picture that can be zoomed: the wheel zooms about the pointer, a drag moves the part that is seen.
import { type RefObject, useEffect } from 'react';
import { changeZoom, resetZoom, useZooms, zoomOf } from './zoom-store.ts';
import { isZoomed, panBy, WHOLE_FRAME, type ZoomView, zoomAt } from './zoom-view.ts';

/** One notch of a mouse wheel is about 100 px. */
const SCALE_PER_PX = 1.0025;

/** `key` names the channel: another one is shown whole again. */
export function useDigitalZoom(frame: RefObject<HTMLElement | null>, cell: number, key: string | null): ZoomView {
  const view = useZooms((zooms) => zooms[cell] ?? WHOLE_FRAME);
  useEffect(() => () => resetZoom(cell), [cell, key]);
  useEffect(() => {
    const element = frame.current;
    if (!element || key === null) return;
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener('wheel', (event) => zoomByWheel(event, element, cell), { signal, passive: false });
    element.addEventListener('pointerdown', (event) => startPan(event, element, cell, signal), { signal });
    return () => listening.abort();
  }, [frame, cell, key]);
  return view;
}

function zoomByWheel(event: WheelEvent, element: HTMLElement, cell: number): void {
  event.preventDefault();
  const box = element.getBoundingClientRect();
  const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 33;
  const factor = SCALE_PER_PX ** (-event.deltaY * lines);
  const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  changeZoom(cell, (view) => zoomAt(view, factor, x, y));
}

function startPan(event: PointerEvent, element: HTMLElement, cell: number, signal: AbortSignal): void {
  const isOnButton = event.target instanceof Element && event.target.closest('button') !== null;
  if (event.button !== 0 || isOnButton || !isZoomed(zoomOf(cell))) return;
  const box = element.getBoundingClientRect();
  let [lastX, lastY] = [event.clientX, event.clientY];
  element.setPointerCapture(event.pointerId);
  const panning = new AbortController();
  const until = { signal: AbortSignal.any([signal, panning.signal]) };
  element.addEventListener(
    'pointermove',
    (move) => {
      const [x, y] = [(lastX - move.clientX) / box.width, (lastY - move.clientY) / box.height];
      [lastX, lastY] = [move.clientX, move.clientY];
      changeZoom(cell, (view) => panBy(view, x, y));
    },
    until,
  );
  for (const end of ['pointerup', 'pointercancel'] as const) {
    element.addEventListener(end, () => panning.abort(), until);
  }
}
