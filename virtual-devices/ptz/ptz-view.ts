// The part of the scene that a PTZ position shows; the widest view leaves room on every side to turn to.

import type { PictureView } from '../scene/painting/picture-view.ts';
import { type CameraPtz, IRIS_MOST_DB } from './camera-ptz.ts';

/** Magnification of the widest view, and of the nearest against it. */
const WIDEST = 1.6;
const MOST = 4;
const LIGHT_GAIN = 1.5;
const DARKEST = 0.15;
const WIPE_MS = 1600;

export function ptzView(head: CameraPtz, nowMs: number): PictureView {
  const { pan, tilt, zoom } = head.place;
  const share = 1 / (WIDEST * MOST ** zoom);
  const reach = 0.5 - 0.5 / WIDEST;
  const gain = (head.switches.light ? LIGHT_GAIN : 1) * (1 - (1 - DARKEST) * (head.irisDb / IRIS_MOST_DB));
  const swing = Math.abs(((nowMs % WIPE_MS) / WIPE_MS) * 2 - 1);
  return {
    left: 0.5 + pan * reach - share / 2,
    top: 0.5 - tilt * reach - share / 2,
    share,
    blur: head.blur,
    gain,
    blade: head.switches.wiper ? swing : null,
  };
}

/** The way to look at a place of the scene, as far as the head turns. */
export function aimAt({ x, y }: { readonly x: number; readonly y: number }): { pan: number; tilt: number } {
  const reach = 0.5 - 0.5 / WIDEST;
  const bounded = (value: number) => Math.max(-1, Math.min(1, value));
  return { pan: bounded((x - 0.5) / reach), tilt: bounded((0.5 - y) / reach) };
}
