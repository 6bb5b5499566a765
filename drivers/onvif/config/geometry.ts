// Coordinates in the frame: ours from 0 at the top left, ONVIF's from -1 to 1 with y upwards (ONVIF Media 5.17.1).
import type { Point } from '@vedette/contract/config/fields.ts';

interface OnvifPoint {
  readonly x: number;
  readonly y: number;
}

export function toShares({ x, y }: OnvifPoint): Point {
  return { x: share((x + 1) / 2), y: share((1 - y) / 2) };
}

export function fromShares({ x, y }: Point): OnvifPoint {
  return { x: rounded(x * 2 - 1), y: rounded(1 - y * 2) };
}

function share(value: number): number {
  return Math.min(1, Math.max(0, rounded(value)));
}

/** Finer than a pixel of any camera. */
function rounded(value: number): number {
  return Math.round(value * 100_000) / 100_000 + 0;
}
