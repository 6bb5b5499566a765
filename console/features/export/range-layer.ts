// Draws the marked range over the timeline, with a handle at each end that can be dragged.
import type { TimelineLayerArea, TimelineLayer } from '../playback/timeline/timeline-layers.ts';
import { type MarkedRange, movedHandle, NO_RANGE, useMarkedRange, wholeRange } from './marked-range.ts';

const REACH_PX = { mouse: 6, pen: 8, touch: 14 };
const GRIP = { width: 7, height: 18 } as const;

/** The handle that is dragged, kept while the layers change under the drag. */
export interface RangeHold {
  handle: 'start' | 'end' | null;
}

export function createRangeLayer(range: MarkedRange, hold: RangeHold): TimelineLayer {
  let scene: TimelineLayerArea | null = null;
  const handleAt = (x: number, reach: number): 'start' | 'end' | null => {
    const distances = (['start', 'end'] as const).flatMap((handle) => {
      const at = range[handle];
      return at === null || !scene ? [] : [{ handle, distance: Math.abs(scene.xOf(at) - x) }];
    });
    return distances.sort((a, b) => a.distance - b.distance).find(({ distance }) => distance <= reach)?.handle ?? null;
  };
  return {
    paint: (context, painted, colours) => {
      scene = painted;
      paintRange(context, painted, range, colours.accent);
    },
    pointer: ({ kind, at, x, event }) => {
      if (kind === 'down') {
        const reach = REACH_PX[event.pointerType as keyof typeof REACH_PX] ?? REACH_PX.mouse;
        hold.handle = handleAt(x, reach);
        return hold.handle !== null;
      }
      if (hold.handle === null) return false;
      // The range of now: this layer may be one of before the drag began.
      const whole = wholeRange(useMarkedRange.getState());
      const moved = whole ? movedHandle(whole, hold.handle, at) : { ...NO_RANGE, [hold.handle]: at };
      useMarkedRange.setState(moved);
      if (kind === 'up') hold.handle = null;
      return true;
    },
  };
}

function paintRange(
  context: CanvasRenderingContext2D,
  { xOf, layout, width }: TimelineLayerArea,
  { start, end }: MarkedRange,
  colour: string,
): void {
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
function bandOf({ rows, height }: TimelineLayerArea['layout']): [number, number] {
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last ? [first.top - 3, last.top + last.height + 3] : [height - 40, height - 6];
}
