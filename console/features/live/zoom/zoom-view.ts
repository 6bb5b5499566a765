// Digital zoom of one picture: which part of it fills the window. Pure.

export interface ZoomView {
  /** 1 shows the whole picture. */
  readonly scale: number;
  /** Parts of the picture that are out of the window on the left and on top, 0 to 1. */
  readonly left: number;
  readonly top: number;
}

export const WHOLE_FRAME: ZoomView = { scale: 1, left: 0, top: 0 };
const SCALE_MAX = 8;

export function isZoomed(view: ZoomView): boolean {
  return view.scale > 1;
}

/** Zooms by a factor; the point at `x`, `y` of the window (0 to 1) stays where it is. */
export function zoomAt(view: ZoomView, factor: number, x = 0.5, y = 0.5): ZoomView {
  const scale = clamp(view.scale * factor, 1, SCALE_MAX);
  // What is left of a step below one is no zoom any more.
  if (scale < 1.02) return WHOLE_FRAME;
  return inside({
    scale,
    left: view.left + x / view.scale - x / scale,
    top: view.top + y / view.scale - y / scale,
  });
}

/** Moves the window over the picture, by parts of the window. */
export function panBy(view: ZoomView, x: number, y: number): ZoomView {
  return inside({ ...view, left: view.left + x / view.scale, top: view.top + y / view.scale });
}

/** For an element whose transform origin is its left upper corner. */
export function zoomTransform({ scale, left, top }: ZoomView): string {
  return `translate(${-left * scale * 100}%, ${-top * scale * 100}%) scale(${scale})`;
}

function inside(view: ZoomView): ZoomView {
  const most = 1 - 1 / view.scale;
  return { ...view, left: clamp(view.left, 0, most), top: clamp(view.top, 0, most) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
