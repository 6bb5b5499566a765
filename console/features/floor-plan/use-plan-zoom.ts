// Zoom and pan of a floor plan: the picture grows inside a scrolled area, so that marks keep their size and touch scrolls by itself.
import { type PointerEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const SCALE_MAX = 8;
/** One press of a button or key. */
export const ZOOM_STEP = 1.4;
/** One notch of a mouse wheel is about 100 px. */
const SCALE_PER_PX = 1.0025;
const PX_PER_LINE = 33;

interface Point {
  readonly clientX: number;
  readonly clientY: number;
}
/** A point of the picture that stays where it is on the screen while the scale changes. */
interface Anchor extends Point {
  readonly x: number;
  readonly y: number;
}

export interface PlanZoom {
  /** The scrolled area. */
  readonly stage: RefObject<HTMLDivElement | null>;
  /** The picture with all that stands on it. */
  readonly sheet: RefObject<HTMLDivElement | null>;
  /** 1 shows the whole picture. */
  readonly scale: number;
  /** About the middle of what is seen. */
  readonly zoomBy: (factor: number) => void;
  readonly showWhole: () => void;
  /** For the stage: a drag beside the marks moves the picture. */
  readonly startPan: (event: PointerEvent) => void;
  /** Where a point of the screen is on the picture, in parts of it. */
  readonly placeOf: (point: Point) => { readonly x: number; readonly y: number };
}

export function usePlanZoom(): PlanZoom {
  const stage = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const [scale, setScale] = useState(1);
  const placeOf = useCallback(({ clientX, clientY }: Point) => {
    const box = sheet.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return { x: 0, y: 0 };
    return { x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height };
  }, []);
  const zoomAt = useCallback(
    (factor: number, point: Point) => {
      anchor.current = { clientX: point.clientX, clientY: point.clientY, ...placeOf(point) };
      setScale((before) => Math.min(SCALE_MAX, Math.max(1, before * factor)));
    },
    [placeOf],
  );
  useLayoutEffect(() => {
    const [area, box] = [stage.current, sheet.current?.getBoundingClientRect()];
    if (area === null || box === undefined || anchor.current === null) return;
    const { x, y, clientX, clientY } = anchor.current;
    anchor.current = null;
    area.scrollLeft += box.left + x * box.width - clientX;
    area.scrollTop += box.top + y * box.height - clientY;
  }, [scale]);
  useEffect(() => {
    const area = stage.current;
    // React listens passively, and the page would zoom too.
    const onWheel = (event: WheelEvent): void => {
      event.preventDefault();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : PX_PER_LINE;
      zoomAt(SCALE_PER_PX ** (-event.deltaY * lines), event);
    };
    area?.addEventListener('wheel', onWheel, { passive: false });
    return () => area?.removeEventListener('wheel', onWheel);
  }, [zoomAt]);
  return {
    stage,
    sheet,
    scale,
    zoomBy: (factor) => {
      const box = stage.current?.getBoundingClientRect();
      if (box !== undefined) zoomAt(factor, { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 });
    },
    showWhole: () => setScale(1),
    startPan: (event) => {
      if (stage.current !== null) followPan(stage.current, event);
    },
    placeOf,
  };
}

function followPan(area: HTMLElement, event: PointerEvent): void {
  if (event.button !== 0 || event.pointerType === 'touch') return;
  let [lastX, lastY] = [event.clientX, event.clientY];
  const panning = new AbortController();
  const until = { signal: panning.signal };
  window.addEventListener(
    'pointermove',
    (move) => {
      area.scrollBy(lastX - move.clientX, lastY - move.clientY);
      [lastX, lastY] = [move.clientX, move.clientY];
    },
    until,
  );
  for (const end of ['pointerup', 'pointercancel'] as const) window.addEventListener(end, () => panning.abort(), until);
}
