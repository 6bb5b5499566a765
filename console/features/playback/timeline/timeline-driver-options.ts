// What the running timeline is given, and what it tells.
import type { ObjectClass } from '@vedette/contract/enumerations.ts';
import type { TickFormat } from './timeline-ticks.ts';

export interface TimelineDriverOptions {
  /** Holds both canvases and takes the pointer; carries `aria-valuenow` in seconds. */
  readonly root: HTMLElement;
  readonly tracks: HTMLCanvasElement;
  readonly head: HTMLCanvasElement;
  readonly format: TickFormat;
  readonly now: () => number;
  /** Wall clock of the picture on screen, ms; null while there is none. */
  readonly position: () => number | null;
  /** Tells when the position may have jumped, or begins to move. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly valueText: (at: number) => string;
  readonly nameOfClass: (objectClass: ObjectClass) => string;
  readonly headLabel: (at: number) => string;
  /** `row`: key of the channel that was pressed on. */
  readonly onSeek: (at: number, row: string | null) => void;
  /** The pointer is dragged or rests over the tracks; null once that is over. */
  readonly onPreview: (preview: TimelinePointer | null) => void;
  /** What is in sight moved; `focus` is the instant that it is about. */
  readonly onView: (focus: number) => void;
}

export interface TimelinePointer {
  readonly at: number;
  /** CSS pixels from the left edge of what holds the timeline. */
  readonly x: number;
  /** Key of the channel under it. */
  readonly row: string | null;
}
