// Draws the marked range over the timeline, with a handle at each end that can be dragged.
import type { LayerScene, TimelineLayer } from '../playback/timeline-layers.ts';
import { movedHandle, NO_RANGE, useMarkedRange, wholeRange } from './marked-range.ts';

const REACH_PX = { mouse: 6, pen: 8, touch: 14 };
const GRIP = { width: 7, height: 18 } as const;

/** Reads the range when it is painted: a new layer is needed only to paint again. */
export function createRangeLayer(): TimelineLayer {
  let scene: LayerScene | null = null;
  let held: 'start' | 'end' | null = null;
  const handleAt = (x: number, reach: number): 'start' | 'end' | null => {
    const range = useMarkedRange.getState();
    const distances = (['start', 'end'] as const).flatMap((handle) => {
      const at = range[handle];
      return at === null || !scene ? [] : [{ handle, distance: Math.abs(scene.xOf(at) - x) }];
    });
    return distances.sort((a, b) => a.distance - b.distance).find(({ distance }) => distance <= reach)?.handle ?? null;
  };
  return {
    paint: (context, painted, colours) => {
      scene = painted;
      paintRange(context, painted, colours.accent);
    },
    pointer: ({ kind, at, x, event }) => {
      if (kind === 'down') {
        const reach = REACH_PX[event.pointerType as keyof typeof REACH_PX] ?? REACH_PX.mouse;
        held = handleAt(x, reach);
        return held !== null;
      }
      if (held === null) return false;
      const range = wholeRange(useMarkedRange.getState());
      useMarkedRange.setState(range ? movedHandle(range, held, at) : { ...NO_RANGE, [held]: at });
      if (kind === 'up') held = null;
      return true;
    },
  };
}

function paintRange(context: CanvasRenderingContext2D, { xOf, layout, width }: LayerScene, colour: string): void {
  const { start, end } = useMarkedRange.getState();
  const [top, bottom] = bandOf(layout);
  context.fillStyle = colour;
  if (start !== null && end !== null) {
    const [left, right] = [Math.max(-2, xOf(start)), Math.min(width + 2, xOf(end))];
    context.globalAlpha = 0.2;
    context.fillRect(left, top, Math.max(1, right - left), bottom - top);
    context.globalAlpha = 1;
    context.fillRect(left, top, Math.max(1, right - left), 2);
    context.fillRect(left, bottom - 2, Math.max(1, right - left), 2);
  }
  for (const at of [start, end]) if (at !== null) paintHandle(context, Math.round(xOf(at)), top, bottom);
}

function paintHandle(context: CanvasRenderingContext2D, x: number, top: number, bottom: number): void {
  context.fillRect(x - 1, top, 2, bottom - top);
  context.beginPath();
  context.roundRect(x - GRIP.width / 2, (top + bottom) / 2 - GRIP.height / 2, GRIP.width, GRIP.height, 3);
  context.fill();
}

/** From the top of the first row to the bottom of the last one. */
function bandOf({ rows, height }: LayerScene['layout']): [number, number] {
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last ? [first.top - 3, last.top + last.height + 3] : [height - 40, height - 6];
}
