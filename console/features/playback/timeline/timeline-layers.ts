// What other features lay over the tracks of the timeline: marks of locks, bookmarks and alarms, a range that is being chosen.
import type { TimelineColours } from './timeline-colours.ts';
import type { RowLayout } from './timeline-rows.ts';
import type { TimelineView } from './timeline-view.ts';

export interface TimelineLayerArea {
  readonly view: TimelineView;
  readonly width: number;
  readonly layout: RowLayout;
  readonly xOf: (at: number) => number;
}

/** A press, a move or the end of a press on the timeline. `end` with `isCancelled`: it was taken away. */
export interface LayerPointer {
  readonly kind: 'down' | 'move' | 'up';
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly event: PointerEvent;
}

export interface TimelineLayer {
  /** Drawn at every repaint of the tracks, in the order of the list, below the playhead. */
  readonly paint: (context: CanvasRenderingContext2D, scene: TimelineLayerArea, colours: TimelineColours) => void;
  /** True for `down` takes the whole press: no seek and no scrubbing follows. */
  readonly pointer?: (pointer: LayerPointer) => boolean;
  /** What it draws, for those who do not see it. */
  readonly words?: readonly { readonly at: number; readonly text: string }[];
  /** What stands beside the time under the pointer, or null. */
  readonly hint?: (at: number, row: string | null) => string | null;
}

export const NO_LAYERS: readonly TimelineLayer[] = [];

/** Of the first layer that has one. */
export function layerHint(layers: readonly TimelineLayer[], at: number, row: string | null): string | null {
  for (const layer of layers) {
    const hint = layer.hint?.(at, row) ?? null;
    if (hint !== null) return hint;
  }
  return null;
}
