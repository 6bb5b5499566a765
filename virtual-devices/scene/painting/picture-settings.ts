// Picture settings of a camera: levels, text overlays, privacy masks and flips.

import type { Planes } from '../codec/planes.ts';
import type { Rectangle } from '../codec/planes.ts';

/** All from 0 to 100; 50 shows the scene as it is. */
export interface PictureLevels {
  readonly brightness: number;
  readonly contrast: number;
  readonly saturation: number;
}

/** Shares of the picture from its top left corner. */
export interface OverlayText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

export interface OverlayMask {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PictureFlip {
  readonly mirror: boolean;
  readonly upsideDown: boolean;
}

export interface PictureSettings {
  /** Rises with every change. */
  readonly revision: number;
  readonly levels: PictureLevels;
  readonly texts: readonly OverlayText[];
  readonly masks: readonly OverlayMask[];
  readonly flip: PictureFlip;
}

const NEUTRAL = 50;

interface Samples {
  readonly y: Uint8Array;
  readonly u: Uint8Array;
  readonly v: Uint8Array;
}

/** Applies the levels; the neutral ones change nothing. */
export function tone({ y, u, v }: Samples, { brightness, contrast, saturation }: PictureLevels): void {
  const gain = contrast / NEUTRAL;
  const lift = (brightness - NEUTRAL) * 2.2;
  if (gain !== 1 || lift !== 0) map(y, (luma) => 16 + (luma - 16 - 110) * gain + 110 + lift, 16, 235);
  const colour = saturation / NEUTRAL;
  if (colour === 1) return;
  for (const plane of [u, v]) map(plane, (sample) => 128 + (sample - 128) * colour, 16, 240);
}

function map(plane: Uint8Array, change: (sample: number) => number, least: number, most: number): void {
  const table = Uint8Array.from({ length: 256 }, (_, sample) =>
    Math.max(least, Math.min(most, Math.round(change(sample)))),
  );
  for (let at = 0; at < plane.length; at++) plane[at] = table[plane[at] as number] as number;
}

/** Whole chroma samples that a mask covers. */
export function maskArea(mask: OverlayMask, width: number, height: number): Rectangle {
  const even = (value: number) => Math.round(value / 2) * 2;
  const x = even(mask.left * width);
  const y = even(mask.top * height);
  return { x, y, width: even(mask.right * width) - x, height: even(mask.bottom * height) - y };
}

/** Black, where it lies inside `clip`. */
export function drawMask(target: Planes, mask: Rectangle, clip: Rectangle): void {
  const left = Math.max(mask.x, clip.x);
  const right = Math.min(mask.x + mask.width, clip.x + clip.width);
  const top = Math.max(mask.y, clip.y);
  const bottom = Math.min(mask.y + mask.height, clip.y + clip.height);
  if (right <= left) return;
  for (let row = top; row < bottom; row++) target.y.fill(16, row * target.stride + left, row * target.stride + right);
  const half = target.stride >> 1;
  for (let row = top >> 1; row < bottom >> 1; row++) {
    target.u.fill(128, row * half + (left >> 1), row * half + (right >> 1));
    target.v.fill(128, row * half + (left >> 1), row * half + (right >> 1));
  }
}

/** In place, within the picture proper: what pads it to whole macroblocks stays. */
export function flipSamples(
  { y, u, v }: Samples,
  { width, height, stride }: { readonly width: number; readonly height: number; readonly stride: number },
  flip: PictureFlip,
): void {
  flipPlane(y, width, height, stride, flip);
  for (const plane of [u, v]) flipPlane(plane, width >> 1, height >> 1, stride >> 1, flip);
}

export function flipPlane(
  plane: Uint8Array,
  width: number,
  height: number,
  stride: number,
  { mirror, upsideDown }: PictureFlip,
): void {
  if (mirror) for (let row = 0; row < height; row++) plane.subarray(row * stride, row * stride + width).reverse();
  if (!upsideDown) return;
  for (let row = 0; row < height >> 1; row++) {
    const upper = plane.subarray(row * stride, row * stride + width);
    const lower = plane.subarray((height - 1 - row) * stride, (height - 1 - row) * stride + width);
    const kept = upper.slice();
    upper.set(lower);
    lower.set(kept);
  }
}
