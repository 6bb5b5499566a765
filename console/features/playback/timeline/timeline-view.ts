// Geometry of the timeline: which instant is at which pixel, zooming about the pointer, panning. Pure.

/** Instants and spans in ms, as doubles: a zoom of 30 s still resolves single pictures. */
export interface TimelineView {
  readonly center: number;
  readonly span: number;
}

export const SPAN_MIN_MS = 30_000;
/** The longest day, when the clock is set back. */
export const SPAN_MAX_MS = 25 * 3_600_000;
/** The last hours, which the timeline opens with. */
export const OPENING_SPAN_MS = 4 * 3_600_000;

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

/** What is to come is never in sight: the present stands at the right edge at most. */
export function untilPresent(view: TimelineView, now: number): TimelineView {
  return viewEnd(view) > now ? { ...view, center: now - view.span / 2 } : view;
}

/** The hours that end at `end`. */
export function openingView(end: number): TimelineView {
  return { center: end - OPENING_SPAN_MS / 2, span: OPENING_SPAN_MS };
}

/** A view that touches the present is moved in steps, not with every picture. */
const SMALLEST_MOVE = 0.02;

/** Keeps the playhead in sight: turns the page once it passes the last tenth, or when it is out of sight. */
export function follow(view: TimelineView, at: number, now: number): TimelineView {
  const place = (at - viewStart(view)) / view.span;
  if (place >= 0 && place <= 0.9) return view;
  const turned = untilPresent({ ...view, center: at + view.span * 0.4 }, now);
  const isSmall = Math.abs(turned.center - view.center) < view.span * SMALLEST_MOVE;
  return isSmall && place >= 0 && place <= 1 ? view : turned;
}
