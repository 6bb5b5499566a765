// Geometry of the timeline: which instant is at which pixel, zooming about the pointer, panning. Pure.

/** Instants and spans in ms, as doubles: a zoom of 30 s still resolves single pictures. */
export interface TimelineView {
  readonly center: number;
  readonly span: number;
}

export const SPAN_MIN_MS = 30_000;
/** The longest day, when the clock is set back. */
export const SPAN_MAX_MS = 25 * 3_600_000;

export function xOf(view: TimelineView, width: number, at: number): number {
  return ((at - view.center) / view.span + 0.5) * width;
}

export function timeAt(view: TimelineView, width: number, x: number): number {
  return view.center + (x / width - 0.5) * view.span;
}

/** `factor` above 1 shows more. The instant under `x` stays there. */
export function zoomAbout(view: TimelineView, width: number, x: number, factor: number): TimelineView {
  const span = Math.min(SPAN_MAX_MS, Math.max(SPAN_MIN_MS, view.span * factor));
  const held = timeAt(view, width, x);
  return { span, center: held - (x / width - 0.5) * span };
}

export function pan(view: TimelineView, width: number, dx: number): TimelineView {
  return { ...view, center: view.center - (dx / width) * view.span };
}

export function viewOf(start: number, end: number): TimelineView {
  return { center: (start + end) / 2, span: Math.min(SPAN_MAX_MS, Math.max(SPAN_MIN_MS, end - start)) };
}

export function viewStart(view: TimelineView): number {
  return view.center - view.span / 2;
}

export function viewEnd(view: TimelineView): number {
  return view.center + view.span / 2;
}

/** Keeps the playhead in sight: turns the page once it passes the last tenth, or when it is out of sight. */
export function follow(view: TimelineView, at: number): TimelineView {
  const place = (at - viewStart(view)) / view.span;
  if (place >= 0 && place <= 0.9) return view;
  return { ...view, center: at + view.span * 0.4 };
}
