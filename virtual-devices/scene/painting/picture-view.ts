// Which part of the scene the head looks at, and how lens, light and wiper show in it: cut from a picture of the whole scene.

import type { Planes } from '../codec/planes.ts';
import type { VideoShape } from '../codec/h264-headers.ts';

export interface PictureView {
  /** Shares of the scene: the top left corner of what is seen, and how much of it. */
  readonly left: number;
  readonly top: number;
  readonly share: number;
  /** 0 sharp to 1. */
  readonly blur: number;
  /** Times the brightness of the scene. */
  readonly gain: number;
  /** Place of the wiper's blade across the picture, 0 to 1; null while it rests. */
  readonly blade: number | null;
}

const BLADE_WIDTH = 0.04;
const BLADE_LUMA = 24;
/** Pixels of 1280 that a picture quite out of focus is smeared over. */
const BLUR_PIXELS = 24;

export function viewKey(view: PictureView): string {
  const { left, top, share, blur, gain, blade } = view;
  return [left, top, share, blur, gain, blade ?? -1].map((part) => part.toFixed(4)).join(' ');
}

/** Nearest samples: a head that moves leaves no time for more. */
export function cutView(target: Planes, whole: Planes, { width, height }: VideoShape, view: PictureView): void {
  cutPlane(target.y, whole.y, target.stride, [width, height], view);
  cutPlane(target.u, whole.u, target.stride >> 1, [width >> 1, height >> 1], view);
  cutPlane(target.v, whole.v, target.stride >> 1, [width >> 1, height >> 1], view);
  const radius = Math.round((view.blur * BLUR_PIXELS * width) / 1280);
  if (radius > 0) smear(target.y, target.stride, [width, height], radius);
  if (view.gain !== 1) brighten(target.y, view.gain);
  if (view.blade !== null) wipe(target.y, target.stride, [width, height], view.blade);
}

type Size = readonly [width: number, height: number];

function cutPlane(to: Uint8Array, from: Uint8Array, stride: number, [width, height]: Size, view: PictureView): void {
  const columns = Int32Array.from({ length: stride }, (_, x) =>
    Math.min(width - 1, Math.floor((view.left + (view.share * Math.min(x, width - 1)) / width) * width)),
  );
  const rows = to.length / stride;
  for (let y = 0; y < rows; y++) {
    const row = Math.floor((view.top + (view.share * Math.min(y, height - 1)) / height) * height);
    const source = Math.min(height - 1, row) * stride;
    for (let x = 0, at = y * stride; x < stride; x++, at++) to[at] = from[source + (columns[x] as number)] as number;
  }
}

/** A running mean along each row, then down each column. */
function smear(plane: Uint8Array, stride: number, [width, height]: Size, radius: number): void {
  for (let y = 0; y < height; y++) mean(plane, y * stride, 1, width, radius);
  for (let x = 0; x < width; x++) mean(plane, x, stride, height, radius);
}

function mean(plane: Uint8Array, start: number, step: number, count: number, radius: number): void {
  const before = Uint8Array.from({ length: count }, (_, i) => plane[start + i * step] as number);
  const at = (i: number): number => before[Math.max(0, Math.min(count - 1, i))] as number;
  let sum = 0;
  for (let i = -radius; i <= radius; i++) sum += at(i);
  for (let i = 0; i < count; i++) {
    plane[start + i * step] = Math.round(sum / (2 * radius + 1));
    sum += at(i + radius + 1) - at(i - radius);
  }
}

function brighten(plane: Uint8Array, gain: number): void {
  const table = Uint8Array.from({ length: 256 }, (_, luma) => Math.max(16, Math.min(235, 16 + (luma - 16) * gain)));
  for (let i = 0; i < plane.length; i++) plane[i] = table[plane[i] as number] as number;
}

function wipe(plane: Uint8Array, stride: number, [width, height]: Size, blade: number): void {
  const left = Math.max(0, Math.round((blade - BLADE_WIDTH / 2) * width));
  const right = Math.min(width, Math.round((blade + BLADE_WIDTH / 2) * width));
  for (let y = 0; y < height; y++) plane.fill(BLADE_LUMA, y * stride + left, y * stride + right);
}
